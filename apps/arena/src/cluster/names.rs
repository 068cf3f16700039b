//! Names of runs, and the subjects of their messages.

use crate::plan::Job;

/// Returns the job that the subject of a message names.
pub(super) fn job_of(subject: &str) -> Option<Job> {
    let mut words = subject.rsplit('.');
    let (pair, number) = (words.next()?, words.next()?);
    Some(Job { number: number.parse().ok()?, pair: pair.parse().ok()? })
}

/// Name of a run: the first 16 digits of its key.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct RunName(pub(super) String);

impl RunName {
    pub(super) fn of_key(key: &str) -> Self {
        Self(key.chars().take(16).collect())
    }

    /// Returns the subject pattern of all jobs of the run.
    pub(super) fn job_subjects(&self) -> String {
        format!("arena.work.{}.>", self.0)
    }

    /// Returns the subject pattern of all results of the run.
    pub(super) fn result_subjects(&self) -> String {
        format!("arena.results.{}.>", self.0)
    }

    /// Returns the subject of a job.
    pub(super) fn job_subject(&self, Job { number, pair }: Job) -> String {
        format!("arena.work.{}.{number}.{pair}", self.0)
    }

    /// Returns the subject of the result of a job.
    pub(super) fn result_subject(&self, Job { number, pair }: Job) -> String {
        format!("arena.results.{}.{number}.{pair}", self.0)
    }

    /// Returns the subject of notices of workers.
    pub(super) fn notice_subject(&self) -> String {
        format!("arena.notices.{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_name_jobs() {
        let run = RunName::of_key("0123456789abcdef0123");
        let job = Job { number: 3, pair: 17 };
        assert_eq!(run.result_subject(job), "arena.results.0123456789abcdef.3.17");
        assert!([run.result_subject(job), run.job_subject(job)].iter().all(|subject| job_of(subject) == Some(job)));
        for other in ["", "arena", "arena.work.x.y", "arena.work.1.-1"] {
            assert_eq!(job_of(other), None);
        }
    }
}
