//! Knowledge about a position without a search: the [`prior`] of each move, the [`value_net`] that evaluates a
//! position, the slower and better [`policy_net`], and the opening [`Book`].
//!
//! The networks are trained, and the book is searched. Their weights in the folder `weights` are part of the program; a
//! [`Model`] can load others.

mod book;
mod features;
pub(crate) mod handcrafted;
pub(crate) mod image;
pub mod policy_net;
pub mod prior;
mod reach;
pub mod value_net;
mod weights_file;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use game::{Board, Color, ColorSet, Placement, printable};
use thiserror::Error;

use self::policy_net::{PolicyInputs, PolicyNet, PolicyOutput};
use self::prior::{Prior, PriorScorer};
use self::value_net::ValueNet;
use crate::input::read_limited;

pub use crate::math::logistic;
pub use book::{Book, BookLine, BookMove, IllegalLine, representative};
pub use features::{Features, Field};
pub use weights_file::{Array, Origin, WeightsError, WeightsFile};

/// Maximum size of a weights file in bytes.
const MAX_WEIGHTS_BYTES: usize = 64 << 20;

/// The networks and the opening book.
///
/// ```no_run
/// use player::model::Model;
/// use player::{FromOptions, MctsPlayer, Options, Player};
///
/// let model = Model::with_files(["trial.weights"])?;
/// let player = MctsPlayer::new(&Options { model: model.into(), ..Options::default() });
/// # Ok::<(), player::model::ModelError>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Model {
    /// The prior of moves.
    pub prior: Prior,
    /// The value network.
    pub value_net: ValueNet,
    /// The policy network.
    pub policy_net: PolicyNet,
    /// The opening book.
    pub book: Book,
}

/// The built-in weights.
const BUILT_IN: [&[u8]; 4] = [
    include_bytes!("weights/prior.weights"),
    include_bytes!("weights/value_net.weights"),
    include_bytes!("weights/policy_net.weights"),
    book::BUILT_IN,
];

/// An error in a weights file of a model.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The file cannot be read.
    #[error("cannot read the weights {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Cause.
        reason: std::io::Error,
    },
    /// The file does not contain a part of a model.
    #[error("cannot use the weights {}: {reason}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Cause.
        reason: WeightsError,
    },
}

impl Model {
    /// Returns the model of the built-in weights.
    pub fn built_in() -> Arc<Self> {
        static MODEL: LazyLock<Arc<Model>> = LazyLock::new(|| {
            // A test checks the built-in weights.
            let [prior, value_net, policy_net, book] = BUILT_IN
                .map(|bytes| WeightsFile::from_bytes(bytes).expect("the built-in weights are files of weights"));
            let model = Model {
                prior: Prior::from_file(prior).expect("the first is the prior"),
                value_net: ValueNet::from_file(value_net).expect("the second is the value network"),
                policy_net: PolicyNet::from_file(policy_net).expect("the third is the policy network"),
                book: Book::from_file(book).expect("the fourth is the book"),
            };
            Arc::new(model)
        });
        MODEL.clone()
    }

    /// Loads the built-in model and replaces the parts that the files contain. The header of each file names its part.
    ///
    /// # Errors
    /// [`ModelError`] if a file cannot be read or is not a part of a model.
    pub fn with_files(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<Self, ModelError> {
        let mut model = Self::clone(&Self::built_in());
        for path in paths {
            let path = path.as_ref();
            let bytes = read_limited(path, MAX_WEIGHTS_BYTES)
                .map_err(|reason| ModelError::Unreadable { path: path.to_owned(), reason })?;
            let unusable = |reason| ModelError::Unusable { path: path.to_owned(), reason };
            let file = WeightsFile::from_bytes(&bytes).map_err(unusable)?;
            let Origin { command, data, engine } = &file.origin;
            let [kind, command, data, engine] = [&file.kind, command, data, engine].map(|text| printable(text));
            log::info!("{}: {kind}, made by `{command}` from {data}, engine {engine}", path.display());
            model.replace(file).map_err(unusable)?;
        }
        Ok(model)
    }

    /// Scores moves by the prior and the policy network, which costs as much as twenty simulations.
    pub(crate) fn policy_scorer(&self, board: &Board, in_play: ColorSet, color: Color, turn: u16) -> MoveScorer<'_> {
        let output = self.policy_net.evaluate(&PolicyInputs::of(board, in_play, color, turn));
        MoveScorer { prior: self.prior.scorer(board, color), output: Some((&self.policy_net, output)) }
    }

    /// Scores moves by the prior alone.
    pub(crate) fn prior_scorer(&self, board: &Board, color: Color) -> MoveScorer<'_> {
        MoveScorer { prior: self.prior.scorer(board, color), output: None }
    }

    /// Replaces the part that a file contains.
    ///
    /// # Errors
    /// [`WeightsError`] if the file is not a part of a model, or has another shape. Nothing changes then.
    pub fn replace(&mut self, file: WeightsFile) -> Result<(), WeightsError> {
        match &*file.kind {
            Prior::KIND => self.prior = Prior::from_file(file)?,
            ValueNet::KIND => self.value_net = ValueNet::from_file(file)?,
            PolicyNet::KIND => self.policy_net = PolicyNet::from_file(file)?,
            Book::KIND => self.book = Book::from_file(file)?,
            _ => {
                let kinds = [Prior::KIND, ValueNet::KIND, PolicyNet::KIND].map(|kind| format!("`{kind}`"));
                let expected = format!("{} or `{}`", kinds.join(", "), Book::KIND);
                return Err(WeightsError::Kind { found: file.kind, expected });
            }
        }
        Ok(())
    }
}

/// Scores the moves of a colour in one position.
pub(crate) struct MoveScorer<'a> {
    prior: PriorScorer<'a>,
    output: Option<(&'a PolicyNet, PolicyOutput)>,
}

impl MoveScorer<'_> {
    /// Returns the logarithm of a legal placement's probability, up to a constant.
    #[inline]
    pub fn score(&self, placement: Placement) -> f32 {
        let prior = self.prior.score(placement);
        match &self.output {
            Some((policy_net, output)) => policy_net.score(output, placement, prior),
            None => prior,
        }
    }
}

/// Omits the weights.
impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn origin() -> Origin {
        Origin { command: "test".to_owned(), ..Origin::default() }
    }

    fn write(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    #[test]
    fn built_in_weights_are_complete_with_origins() {
        let kinds = BUILT_IN.map(|bytes| {
            let file = WeightsFile::from_bytes(bytes).unwrap();
            assert!(!file.origin.command.is_empty() && !file.origin.data.is_empty() && !file.origin.engine.is_empty());
            file.kind
        });
        assert_eq!(kinds, [Prior::KIND, ValueNet::KIND, PolicyNet::KIND, Book::KIND]);
        let model = Model::built_in();
        assert_ne!(model.prior, Prior::default());
        assert_ne!(model.value_net.network, value_net::Mlp::ZERO);
        assert!(!model.book.lines().is_empty());
    }

    #[test]
    fn files_replace_parts_of_the_model() {
        let folder = tempfile::tempdir().unwrap();
        let mut prior = Prior::default();
        prior.stages[2].own.anchor_covered = 0.125;
        let path = write(&folder, "prior", &prior.to_file(origin()).to_bytes());
        let model = Model::with_files([path]).unwrap();
        assert_eq!(model, Model { prior, ..Model::clone(&Model::built_in()) });
    }

    #[test]
    fn unusable_files_are_named_with_reason() {
        let folder = tempfile::tempdir().unwrap();
        let prior = Model::built_in().prior.to_file(origin());
        let bytes = prior.to_bytes();
        let mut damaged = bytes.clone();
        *damaged.last_mut().unwrap() ^= 1;
        let mut other = prior.clone();
        other.kind = "ownership".to_owned();
        for (name, bytes, reason) in [
            ("text", &b"no weights at all, only text"[..], "not a weights file: the signature is missing".to_owned()),
            ("cut", &bytes[..1000], format!("the header announces {} bytes, the file has 1000", bytes.len())),
            ("damaged", &damaged, "the file is damaged: the header announces the checksum".to_owned()),
            (
                "other",
                &other.to_bytes(),
                "the kind is `ownership`, expected `prior`, `evaluation`, `convolution` or `book`".to_owned(),
            ),
        ] {
            let path = write(&folder, name, bytes);
            let error = Model::with_files([&path]).unwrap_err().to_string();
            assert!(error.contains(&path.display().to_string()) && error.contains(&reason), "{error}");
        }
        let missing = folder.path().join("missing");
        let error = Model::with_files([&missing]).unwrap_err().to_string();
        assert!(error.contains("cannot read the weights") && error.contains("missing"), "{error}");
    }
}
