//! Names of runs and tasks, and the subjects of their messages.

/// A unit of work of a run. If its worker disappears, another one repeats it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TaskId {
    /// Group for common deletion: the match of a game, or the iteration of a tuning.
    pub group: u64,
    /// Number in the group: the pair of games, or the seed of self-play.
    pub number: u64,
}

impl TaskId {
    /// Returns the task that the subject of a message names.
    pub(super) fn of_subject(subject: &str) -> Option<Self> {
        let mut words = subject.rsplit('.');
        let (number, group) = (words.next()?, words.next()?);
        Some(Self { group: group.parse().ok()?, number: number.parse().ok()? })
    }
}

/// Name of a run: the first digits of its key.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct RunName(pub(super) String);

impl RunName {
    pub(super) fn of_key(key: &str) -> Self {
        Self(key.chars().take(16).collect())
    }

    /// All work of the run.
    pub(super) fn all_work(&self) -> String {
        format!("arena.work.{}.>", self.0)
    }

    /// All results of the run.
    pub(super) fn all_results(&self) -> String {
        format!("arena.results.{}.>", self.0)
    }

    /// Results of a group of tasks.
    pub(super) fn results_of(&self, group: u64) -> String {
        format!("arena.results.{}.{group}.*", self.0)
    }

    pub(super) fn work(&self, TaskId { group, number }: TaskId) -> String {
        format!("arena.work.{}.{group}.{number}", self.0)
    }

    pub(super) fn result(&self, TaskId { group, number }: TaskId) -> String {
        format!("arena.results.{}.{group}.{number}", self.0)
    }

    /// Subject of notices of workers.
    pub(super) fn notices(&self) -> String {
        format!("arena.notices.{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_name_tasks() {
        let run = RunName::of_key("0123456789abcdef0123");
        let task = TaskId { group: 3, number: 17 };
        assert_eq!(run.result(task), "arena.results.0123456789abcdef.3.17");
        assert!([run.result(task), run.work(task)].iter().all(|subject| TaskId::of_subject(subject) == Some(task)));
        for other in ["", "arena", "arena.work.x.y", "arena.work.1.-1"] {
            assert_eq!(TaskId::of_subject(other), None);
        }
    }
}
