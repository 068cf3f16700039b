//! Positions for an opening book, each of which is searched for long.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use game::Rules;
use player::bench;
use player::model::Model;

use super::QueueError;
use super::coordinator::Coordinator;
use super::job_type::{Done, Kind, Seat, Task};
use super::run::{Offer, Order};
use super::task::Item;
use crate::openings::book::{Effort, Line, Searched, Wish};

/// What offers call it.
const NAME: &str = "book";

impl Order {
    /// Searches of so much effort of the positions that are `wanted` in a season, by programs whose search has this
    /// [fingerprint](bench::fingerprint_of_search).
    pub fn of_searches(effort: Effort, rules: Rules, wanted: Wish, fingerprint: String) -> Self {
        let Wish { plies, others } = wanted;
        let part = format!("{rules}, {plies} plies, {others} others");
        // Numbers can always be written.
        Self::new(NAME, serde_json::to_string(&effort).unwrap_or_default(), &part, fingerprint)
    }
}

fn item_of(line: &Line) -> Item {
    Item { group: 0, number: line.number() }
}

/// Lets workers search the positions to which `lines` lead and calls `on_searched` with what is found in each, in no
/// particular order, until all are searched or `on_searched` breaks. It also ends when `stop` is set.
///
/// # Errors
/// [`QueueError`]
pub fn gather_searches(
    coordinator: &mut Coordinator,
    lines: &[Line],
    stop: &AtomicBool,
    on_searched: &mut dyn FnMut(Searched) -> ControlFlow<()>,
) -> Result<(), QueueError> {
    let by_item: HashMap<Item, &Line> = lines.iter().map(|line| (item_of(line), line)).collect();
    // Texts can always be written.
    let payload = |line: &Line| serde_json::to_vec(line).unwrap_or_default();
    let items: Vec<(Item, Vec<u8>)> = by_item.iter().map(|(&item, line)| (item, payload(line))).collect();
    coordinator.gather(&items, stop, &mut |item, outcome| {
        let searched: Searched = serde_json::from_slice(&outcome.result).map_err(|error| error.to_string())?;
        if by_item.get(&item).is_none_or(|&line| *line != searched.line) {
            return Err("it is another position".to_owned());
        }
        if searched.moves.is_empty() || searched.next().count() < searched.moves.len() {
            return Err("its moves are not legal".to_owned());
        }
        Ok(on_searched(searched))
    })
}

/// Searching positions for others.
#[derive(Clone, Copy, Debug)]
pub struct Searches;

impl Kind for Searches {
    fn name(&self) -> &'static str {
        NAME
    }

    fn files(&self, _: &str) -> Result<Vec<String>, String> {
        Ok(Vec::new())
    }

    fn prepare(&self, offer: &Offer, text: &str, _: &Path, _: usize) -> Result<Arc<dyn Task>, String> {
        let effort: Effort = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let own = bench::fingerprint_of_search(Model::built_in()).map_err(|error| error.to_string())?;
        offer.check(&own, &own)?;
        Ok(Arc::new(Searching { effort }))
    }
}

/// Searches that are done here.
#[derive(Clone, Copy)]
struct Searching {
    effort: Effort,
}

impl Task for Searching {
    fn description(&self) -> String {
        let Effort { nodes, memory } = self.effort;
        format!("searching positions for a book, {nodes} simulations in {} MiB each", memory >> 20)
    }

    fn seat(self: Arc<Self>) -> Box<dyn Seat> {
        Box::new(*self)
    }
}

impl Seat for Searching {
    fn perform(&mut self, _: Item, payload: &[u8], stop: &AtomicBool) -> Result<Option<Done>, String> {
        let line: Line = serde_json::from_slice(payload).map_err(|error| error.to_string())?;
        // What has begun is searched to its end, for the result of a shorter search would be another one.
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let searched = Searched::search(&line, self.effort).ok_or("there is no move in a position")?;
        let result = serde_json::to_vec(&searched).map_err(|error| error.to_string())?;
        Ok(Some(Done { result, file: None }))
    }
}
