//! The course of a tuning as a picture.

use std::io;

use plotters::prelude::*;
use thiserror::Error;

use super::{Axis, Spsa};

/// Parameters side by side.
const COLUMNS: usize = 2;

/// Width and height of what is drawn for one parameter, in pixels.
const PANEL: (u32, u32) = (420, 190);

/// A line has about so many points; more are not seen.
const POINTS: usize = 400;

const COURSE: RGBColor = RGBColor(0, 114, 178);
const START: RGBColor = RGBColor(154, 167, 179);

/// A picture could not be drawn.
#[derive(Debug, Error)]
#[error("cannot draw the course of the tuning")]
pub struct PictureError(#[from] DrawingAreaErrorKind<io::Error>);

/// Draws how the values of all parameters went, as SVG: for each of them its values in its range against the
/// iterations, and where it began as a grey line.
///
/// # Errors
/// [`PictureError`] if there is no room for what is to be drawn.
pub fn draw(spsa: &Spsa) -> Result<String, PictureError> {
    let mut svg = String::new();
    let rows = spsa.axes.len().div_ceil(COLUMNS);
    let size = (PANEL.0 * COLUMNS as u32, PANEL.1 * rows as u32);
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&WHITE)?;
        for (n, (panel, axis)) in area.split_evenly((rows, COLUMNS)).iter().zip(&spsa.axes).enumerate() {
            draw_parameter(panel, axis, n, &spsa.course)?;
        }
        area.present()?;
    }
    Ok(svg)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn draw_parameter(area: &Area, axis: &Axis, n: usize, course: &[Vec<f64>]) -> Result<(), PictureError> {
    let Axis { name, low, high, start } = axis;
    let last = course.len() - 1;
    let mut chart = ChartBuilder::on(area)
        .caption(format!("{name}: {start} → {:.4}", course[last][n]), ("sans-serif", 15))
        .margin(12)
        .x_label_area_size(22)
        .y_label_area_size(44)
        .build_cartesian_2d(0..last.max(1), *low..*high)?;
    chart.configure_mesh().disable_mesh().x_labels(5).y_labels(5).draw()?;
    chart.draw_series(LineSeries::new([(0, *start), (last, *start)], START))?;
    let shown = (0..last).step_by(last.div_ceil(POINTS).max(1)).chain([last]);
    chart.draw_series(LineSeries::new(shown.map(|iteration| (iteration, course[iteration][n])), COURSE))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Gains;
    use super::*;

    fn spsa(iterations: u32) -> Spsa {
        let axis = |name: &str, high| Axis { name: name.to_owned(), low: 0.0, high, start: 1.0 };
        let gains = Gains { iterations, spread: 0.1, step: 0.01 };
        Spsa::new(vec![axis("wide", 4.0), axis("narrow", 2.0), axis("third", 3.0)], gains, 7)
    }

    /// The points of all lines in a picture.
    fn lines(svg: &str) -> Vec<Vec<(f64, f64)>> {
        let coordinates = |point: &str| {
            let (x, y) = point.split_once(',').expect("two numbers");
            (x.parse().expect("a number"), y.parse().expect("a number"))
        };
        let points = svg.split("points=\"").skip(1).filter_map(|rest| rest.split('"').next());
        points.map(|points| points.split_whitespace().map(coordinates).collect()).collect()
    }

    #[test]
    fn every_parameter_has_a_line_that_goes_where_it_went() {
        let mut spsa = spsa(1000);
        let before = draw(&spsa).expect("room");
        while !spsa.is_done() {
            // The larger "wide" is the better.
            let [one, other] = spsa.candidates();
            spsa.learn((one[0] - other[0]).signum());
        }
        let picture = draw(&spsa).expect("room");
        for (name, now) in ["wide", "narrow", "third"].into_iter().zip(spsa.values()) {
            assert!(before.contains(&format!("{name}: 1 → 1.0000")));
            assert!(picture.contains(&format!("{name}: 1 → {now:.4}")));
        }
        let courses: Vec<_> = lines(&picture).into_iter().filter(|points| points.len() > POINTS / 2).collect();
        assert_eq!(courses.len(), 3);
        assert!(courses.iter().all(|points| points.len() <= POINTS + 1));
        // Rows of a picture are counted from above.
        let rise = |points: &[(f64, f64)]| points[0].1 - points[points.len() - 1].1;
        assert!(rise(&courses[0]) > 50.0, "{picture}");
    }

    #[test]
    fn values_that_do_not_move_are_drawn_where_they_began() {
        let mut spsa = spsa(10);
        spsa.learn(0.0);
        let drawn = lines(&draw(&spsa).expect("room"));
        // The other lines are those of the axes.
        let wide = |points: &&Vec<(f64, f64)>| points[0].0 + 100.0 < points[points.len() - 1].0;
        let level = drawn.iter().filter(wide).filter(|points| points.iter().all(|point| point.1 == points[0].1));
        // For each parameter its beginning, its course and the axis below.
        assert_eq!(level.count(), 3 * 3);
    }
}
