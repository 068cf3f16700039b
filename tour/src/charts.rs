//! Charts without words, so that one picture serves pages in every language. They are readable on light and dark pages.

use std::fmt::Write;

/// Bars in this colour and, where there are two, in this one.
const FILLS: [&str; 2] = ["#9aa7b3", "#0072b2"];

/// Letters and lines that stand out from white and from black.
const INK: &str = "#7a8794";

/// A picture of this size with a title for screen readers.
pub fn svg(title: &str, width: usize, height: usize, content: &str) -> String {
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" fill="{INK}"><title>{title}</title>{content}</svg>"#
    )
}

/// How many numbers fall into each bin of this width, as columns over an axis.
pub fn histogram(title: &str, numbers: &[i32], bin: i32) -> String {
    const COLUMN: usize = 34;
    const HEIGHT: usize = 160;
    let bins = numbers.iter().map(|number| number.div_euclid(bin));
    let (Some(first), Some(last)) = (bins.clone().min(), bins.clone().max()) else { return String::new() };
    let counts: Vec<usize> = (first..=last).map(|bin| bins.clone().filter(|&other| other == bin).count()).collect();
    let most = counts.iter().copied().max().unwrap_or(1);
    let mut content = String::new();
    for (n, count) in counts.iter().enumerate() {
        let (x, height) = (20 + n * COLUMN, count * HEIGHT / most);
        let (y, middle) = (20 + HEIGHT - height, x + COLUMN / 2 - 1);
        let fill = FILLS[usize::from(first + n as i32 >= 0)];
        let _ = write!(content, r#"<rect x="{x}" y="{y}" width="{}" height="{height}" fill="{fill}"/>"#, COLUMN - 2);
        let _ = write!(content, r#"<text x="{middle}" y="{}" text-anchor="middle">{count}</text>"#, y - 4);
    }
    for (n, edge) in (first..=last + 1).enumerate() {
        let (x, y) = (19 + n * COLUMN, HEIGHT + 36);
        let _ = write!(content, r#"<text x="{x}" y="{y}" text-anchor="middle">{:+}</text>"#, edge * bin);
    }
    svg(title, counts.len() * COLUMN + 40, HEIGHT + 46, &content)
}

/// A row of two bars for each name, the bars as long as the shares, 0 to 1.
pub fn pairs(title: &str, rows: &[(String, [f64; 2])]) -> String {
    const ROW: usize = 34;
    const NAMES: usize = 230;
    const WIDTH: f64 = 330.0;
    let mut content = String::new();
    for (n, (name, shares)) in rows.iter().enumerate() {
        let y = 10 + n * ROW;
        let _ = write!(content, r#"<text x="{}" y="{}" text-anchor="end">{name}</text>"#, NAMES - 8, y + 17);
        for (bar, (share, fill)) in shares.iter().zip(FILLS).enumerate() {
            let (y, width) = (y + 13 * bar, share * WIDTH);
            let _ = write!(content, r#"<rect x="{NAMES}" y="{y}" width="{width:.1}" height="12" fill="{fill}"/>"#);
            let (x, percent) = (NAMES as f64 + width + 5.0, 100.0 * share);
            let _ = write!(content, r#"<text x="{x:.1}" y="{}">{percent:.1} %</text>"#, y + 10);
        }
    }
    svg(title, NAMES + WIDTH as usize + 70, rows.len() * ROW + 14, &content)
}
