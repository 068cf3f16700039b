//! What workers do: kinds of work.
//!
//! Whoever wants something else to be done over a queue writes a [`Kind`]. All that has to do with the queue (offers,
//! redelivery, results, files, workers that come and go) is the same for all of them.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::run::Offer;
use super::task::Item;

/// What has come of an item.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Done {
    /// The result, some kilobytes at most.
    pub result: Vec<u8>,
    /// A file of any size.
    pub file: Option<Vec<u8>>,
}

/// A kind of work, as workers know it.
pub trait Kind: Send + Sync {
    /// What offers call it.
    fn name(&self) -> &'static str;

    /// The files that the text of an order names.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn files(&self, text: &str) -> Result<Vec<String>, String>;

    /// Makes everything ready for an order with this text, whose files are in `folder`, where `cores` items are done at
    /// the same time. The folder stays as long as the task.
    ///
    /// # Errors
    /// Why it is not done here: because the results would be others, or because it is not allowed.
    fn prepare(&self, offer: &Offer, text: &str, folder: &Path, cores: usize) -> Result<Arc<dyn Task>, String>;
}

/// An order that is carried out by this program.
pub trait Task: Send + Sync {
    /// What is done, for people.
    fn description(&self) -> String;

    /// How many threads an item needs.
    fn threads(&self) -> usize {
        1
    }

    /// A place where one item is done after the other.
    fn seat(self: Arc<Self>) -> Box<dyn Seat>;
}

/// Where one item is done after the other. It may keep what the next one needs as well.
pub trait Seat: Send {
    /// Does an item, to which `payload` belongs; `None` if `stop` was set before it was done.
    ///
    /// # Errors
    /// Why that cannot be done here, now or later.
    fn perform(&mut self, item: Item, payload: &[u8], stop: &AtomicBool) -> Result<Option<Done>, String>;
}

/// What whoever has given an order does with a result: [`ControlFlow::Break`] if no more are needed, an error if it
/// cannot be used, so that the item has to be done again.
pub type Taken = Result<ControlFlow<()>, String>;
