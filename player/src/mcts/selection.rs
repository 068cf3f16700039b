//! Selection: the child with the highest upper bound.

use std::f32::consts::LN_2;

use super::params::Params;
use super::shortlist::Shortlist;
use super::tree::{Tree, TreeNode};
use crate::math::min;

/// Returns the number of the child with the highest upper bound; the root chooses from its shortlist.
///
/// The bound is PUCT (D. Silver et al., Mastering the game of Go without human knowledge, 2017) in Pentobi's variant:
/// value + min(boost / w, 1 - share) * gap + c * prior * sqrt(n) * ln(n + 1) / w. The [logarithm](fast_ln) makes
/// exploration grow faster with the visits n of the parent. The weight w of the child includes its first value, so
/// there is no + 1. The value contains the RAVE updates of the backpropagation.
///
/// The evaluation counts more while w is small, because one playout is less informative than the evaluation: gap is the
/// evaluation less the value, and share is the part of the evaluation in the value.
#[inline(always)]
pub fn select(tree: &Tree, node: u32, params: &Params, shortlist: &mut Shortlist) -> Option<usize> {
    let visits = tree.node(node).visits() as f32;
    let explore = params.exploration * visits.sqrt() * fast_ln(visits + 1.0);
    let (boost, most) = (params.evaluation_boost, 1.0 - params.evaluation_share);
    let score = |child: &TreeNode| {
        let inverse = 1.0 / child.weight();
        let more = min(boost * inverse, most);
        child.value() + more * child.gap() + explore * child.prior() * inverse
    };
    match node {
        Tree::ROOT => argmax(shortlist.best_children(tree, score), score),
        _ => argmax(tree.children(node).iter().enumerate(), score),
    }
}

/// Approximates the natural logarithm of a number of at least 1, up to 0.06 too small.
///
/// The bits of a float, read as an integer, are its binary logarithm up to scale and offset: exact at powers of two and
/// linear between them (J. N. Mitchell, Computer multiplication and division using binary logarithms, 1962).
#[inline(always)]
fn fast_ln(number: f32) -> f32 {
    /// Increase of the bits when the number doubles.
    const DOUBLE: f32 = (1 << (f32::MANTISSA_DIGITS - 1)) as f32;
    (number.to_bits() as f32 / DOUBLE - (f32::MAX_EXP - 1) as f32) * LN_2
}

/// Returns the number of the child with the highest score, the first of equals.
#[inline(always)]
fn argmax<'a>(
    children: impl Iterator<Item = (usize, &'a TreeNode)>,
    score: impl Fn(&TreeNode) -> f32,
) -> Option<usize> {
    let (mut best, mut best_score) = (None, f32::MIN);
    for (n, child) in children {
        let score = score(child);
        if score > best_score {
            (best, best_score) = (Some(n), score);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::tree::SimulationResult;
    use super::super::worker::tests::tree_and_worker;
    use super::*;
    use game::{Position, Rules};

    /// Selects between two children with results of this weight. The first has the slightly better value; the second
    /// has a gap, half of it already in its value.
    fn selected(weight: f32, gap: f32, evaluation_boost: f32) -> Option<usize> {
        let params = Params {
            exploration: 0.0,
            // The other children keep first values of at most 0.5.
            first_play_weight: 0.01,
            evaluation_share: 0.5,
            evaluation_boost,
            ..Params::default()
        };
        let (tree, _) = tree_and_worker(&Position::new(Rules::Classic, None).unwrap(), &params, 1);
        tree.node(1).add(SimulationResult { value: 0.95, gap: 0.0 }, weight);
        tree.node(2).add(SimulationResult { value: 0.9, gap }, weight);
        select(&tree, Tree::ROOT, &params, &mut Shortlist::new())
    }

    #[test]
    fn evaluation_counts_more_with_few_visits() {
        assert_eq!(selected(2.0, 0.2, 1.6), Some(1));
        assert_eq!(selected(100.0, 0.2, 1.6), Some(0));
        assert_eq!(selected(2.0, 0.2, 0.0), Some(0));
        assert_eq!(selected(2.0, 0.08, 100.0), Some(0), "the evaluation of 0.94 counts at most once");
    }

    #[test]
    fn fast_ln_is_monotonic_and_slightly_small() {
        let mut last = 0.0;
        for number in (1..1_000_000).chain((1 << 20..=u32::MAX).step_by(999_999)) {
            let found = fast_ln(number as f32);
            let missing = (number as f32).ln() - found;
            let most = if number.is_power_of_two() { 1e-4 } else { 0.06 };
            assert!((-1e-4..most).contains(&missing) && found >= last, "{number}: {found}");
            last = found;
        }
        assert_eq!(fast_ln(1.0), 0.0);
    }
}
