//! The two players of an iteration.

use serde::{Deserialize, Serialize};

use crate::engines::{Spec, SpecError};
use crate::plan::{Entrant, Plan};

/// Parameter values of the two players of an iteration, each as `NAME=VALUE,…`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Candidates(pub [String; 2]);

impl Candidates {
    /// Returns the match of an iteration: the first match of `plan` with these values and openings of its own.
    pub fn match_plan(&self, plan: &Plan, iteration: u32) -> Result<Plan, SpecError> {
        let entrant = |(entrant, values): (&Entrant, &String)| {
            let spec: Spec = with_values(&entrant.spec.to_string(), values).parse()?;
            Ok(spec.with_budget(entrant.spec.budget()).into())
        };
        let contestants = plan.contestants.iter().zip(&self.0).map(entrant).collect::<Result<_, _>>()?;
        Ok(Plan { contestants, seed: plan.seed_of(iteration), ..plan.match_plan(0) })
    }
}

/// Returns the text of a player with these parameters; they replace its own values.
///
/// ```
/// use arena::tuning::with_values;
///
/// assert_eq!(with_values("mcts", "rave_weight=1"), "mcts:rave_weight=1");
/// assert_eq!(with_values("mcts:rave_weight=2,seed=3", "rave_weight=1,margin_share=0"), "mcts:seed=3,rave_weight=1,margin_share=0");
/// ```
pub fn with_values(player: &str, values: &str) -> String {
    let (name, options) = player.split_once(':').unwrap_or((player, ""));
    let key = |pair: &str| pair.split_once('=').map_or(pair, |(key, _)| key).to_owned();
    let changed: Vec<String> = values.split(',').map(key).collect();
    let kept = options.split(',').filter(|pair| !pair.is_empty() && !changed.contains(&key(pair)));
    let options: Vec<&str> = kept.chain([values]).collect();
    format!("{name}:{}", options.join(","))
}
