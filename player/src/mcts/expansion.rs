//! Which children a leaf gets: the likeliest moves by the prior, as a probability distribution.

use game::{Board, Color, ColorSet, Placement};

use super::params::Params;
use super::tree::Child;
use crate::model::prior::keep_likeliest;
use crate::model::{Model, MoveScorer};

/// What scores the moves of a root, on which a convolutional network that may look at nodes looks at once.
pub fn root_scorer<'a>(
    model: &'a Model,
    params: &Params,
    board: &Board,
    in_play: ColorSet,
    color: Color,
    turn: u16,
) -> MoveScorer<'a> {
    if params.uses_policy_net() {
        model.policy_scorer(board, in_play, color, turn)
    } else {
        model.prior_scorer(board, color)
    }
}

/// Makes the likeliest `most` of some placements into children, in no order. The scores are logarithms of their
/// probabilities but for a constant. What was in `children` is dropped; it is taken only to save allocations.
pub fn children(
    placements: &[Placement],
    score: impl Fn(Placement) -> f32,
    most: usize,
    temperature: f32,
    children: &mut Vec<Child>,
) {
    likeliest(placements, score, most, children);
    softmax(children, temperature);
}

/// The same with the scores in the place of priors.
pub fn likeliest(placements: &[Placement], score: impl Fn(Placement) -> f32, most: usize, children: &mut Vec<Child>) {
    children.clear();
    children.extend(placements.iter().map(|&placement| Child::new(placement, score(placement))));
    keep_likeliest(children, most, |child| (child.prior, child.placement));
}

/// Makes probabilities of the scores that children have as priors.
pub fn softmax(children: &mut [Child], temperature: f32) {
    let largest = children.iter().map(|child| child.prior).fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for child in &mut *children {
        // The exponential of the crate libm is the same on every machine, that of the system need not be.
        child.prior = libm::expf((child.prior - largest) / temperature);
        sum += child.prior;
    }
    for child in children {
        child.prior /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use game::{Board, Color};

    fn boards() -> impl Iterator<Item = (Board, Color)> {
        let positions = crate::bench::positions().expect("a list");
        positions.into_iter().map(|position| (*position.board(), position.color()))
    }

    fn children_of(board: &Board, color: Color, most: usize, temperature: f32) -> Vec<Child> {
        let (placements, mut list) = (board.placements(color), Vec::new());
        let model = Model::built_in();
        let scorer = model.prior.scorer(board, color);
        children(&placements, |placement| scorer.score(placement), most, temperature, &mut list);
        list.sort_by(|a, b| b.prior.total_cmp(&a.prior).then(a.placement.cmp(&b.placement)));
        list
    }

    #[test]
    fn priors_are_probabilities_of_the_likeliest() {
        for (board, color) in boards() {
            let all = children_of(&board, color, usize::MAX, 1.0);
            assert_eq!(all.len(), board.count_placements(color));
            let few = children_of(&board, color, 10, 1.0);
            assert!(few.iter().map(|child| child.placement).eq(all.iter().map(|child| child.placement).take(10)));
            for children in [&all, &few] {
                assert!((children.iter().map(|child| child.prior).sum::<f32>() - 1.0).abs() < 1e-4);
                assert!(children.iter().all(|child| child.prior >= 0.0 && child.bonus == 0.0));
            }
            let cold = children_of(&board, color, usize::MAX, 0.5);
            assert!(cold.first().zip(all.first()).is_some_and(|(cold, warm)| cold.prior > warm.prior));
        }
    }
}
