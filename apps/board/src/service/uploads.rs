//! The teams of a league, their secret links, and their uploads into its folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{fs, io};

use arena::league::upload::{self, Upload, UploadError};
use arena::lock::lock;

use super::error::ServiceError;
use super::links::secret;

/// File of the teams in the folder of the league, which ignores it.
const TEAMS: &str = ".teams.json";

/// The uploads of teams into the folder of a league.
pub(super) struct Uploads {
    folder: PathBuf,
    /// Tokens by names.
    teams: Mutex<BTreeMap<String, String>>,
    /// The teams that upload at the moment, each at most one package.
    uploading: Mutex<BTreeSet<String>>,
}

/// A team that uploads a package.
pub(super) struct Uploader {
    uploads: Arc<Uploads>,
    name: String,
}

/// Maximum time for an upload.
pub const UPLOAD_TIME: Duration = Duration::from_secs(180);

impl Uploads {
    /// Reads the teams of a folder. A damaged file is an error: new links would replace those that teams have.
    pub fn open(folder: PathBuf) -> Result<Self, ServiceError> {
        let path = folder.join(TEAMS);
        let failed = |source| ServiceError::System { what: format!("cannot read {}", path.display()), source };
        let teams = match fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text).map_err(|error| failed(error.into()))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(failed(error)),
        };
        upload::delete_incomplete(&folder, UPLOAD_TIME)
            .unwrap_or_else(|error| log::warn!("cannot delete incomplete uploads: {error}"));
        Ok(Self { folder, teams: Mutex::new(teams), uploading: Mutex::default() })
    }

    /// Returns the tokens of all teams by their names. Adds the teams with a package in the folder.
    pub fn teams(&self) -> Result<BTreeMap<String, String>, UploadError> {
        self.add_all(None)
    }

    /// Adds a team. Returns the tokens of all teams like [`teams`](Self::teams).
    pub fn add(&self, name: String) -> Result<BTreeMap<String, String>, UploadError> {
        upload::check_name(&self.folder, &name)?;
        self.add_all(Some(name))
    }

    fn add_all(&self, new: Option<String>) -> Result<BTreeMap<String, String>, UploadError> {
        let in_folder = fs::read_dir(&self.folder)?.flatten().filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            Some(name.strip_suffix(".zip")?.to_owned())
        });
        let is_new = |name: &String| upload::check_name(&self.folder, name).is_ok();
        let names: Vec<String> = in_folder.filter(is_new).chain(new).collect();
        let mut known = lock(&self.teams);
        let mut teams = known.clone();
        for name in names {
            teams.entry(name).or_insert_with(secret);
        }
        if teams.len() > known.len() {
            upload::write(&self.folder, TEAMS, &serde_json::to_vec_pretty(&teams).map_err(io::Error::from)?)?;
            known.clone_from(&teams);
        }
        Ok(teams)
    }

    /// Returns the name of the team with a token.
    pub fn team(&self, token: &str) -> Option<String> {
        let teams = lock(&self.teams);
        teams.iter().find(|(_, known)| *known == token).map(|(name, _)| name.clone())
    }

    /// Begins an upload of a team; `None` if it uploads already.
    pub fn begin(self: &Arc<Self>, name: &str) -> Option<Uploader> {
        let is_first = lock(&self.uploading).insert(name.to_owned());
        is_first.then(|| Uploader { uploads: Arc::clone(self), name: name.to_owned() })
    }
}

impl Uploader {
    /// Creates the file for the package.
    pub fn file(&self) -> io::Result<Upload> {
        Upload::new(&self.uploads.folder)
    }

    /// Checks a package and stores it as the next version of the team.
    pub fn store(&self, package: Upload) -> Result<(), UploadError> {
        package.store(&self.uploads.folder, &self.name)
    }
}

impl Drop for Uploader {
    fn drop(&mut self) {
        lock(&self.uploads.uploading).remove(&self.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn teams_keep_their_links() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("alice.zip"), "").unwrap();
        fs::write(folder.path().join("level3.player"), "").unwrap();
        let uploads = Uploads::open(folder.path().to_owned()).unwrap();
        assert!(matches!(uploads.add("level3".to_owned()), Err(UploadError::Taken(_))));
        let teams = uploads.add("bob".to_owned()).unwrap();
        assert_eq!(teams.keys().collect::<Vec<_>>(), ["alice", "bob"]);
        assert_ne!(teams["alice"], teams["bob"]);
        fs::remove_file(folder.path().join("alice.zip")).unwrap();
        let again = Uploads::open(folder.path().to_owned()).unwrap();
        assert_eq!(again.teams().unwrap(), teams);
        assert_eq!(again.team(&teams["bob"]).as_deref(), Some("bob"));
        assert_eq!(again.team(""), None);

        fs::write(folder.path().join(TEAMS), "{").unwrap();
        let error = Uploads::open(folder.path().to_owned()).err().unwrap();
        assert!(error.to_string().contains(TEAMS), "{error}");
    }

    #[test]
    fn team_uploads_one_package_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let uploads = Arc::new(Uploads::open(folder.path().to_owned()).unwrap());
        let first = uploads.begin("alice");
        assert!(first.is_some() && uploads.begin("alice").is_none() && uploads.begin("bob").is_some());
        drop(first);
        assert!(uploads.begin("alice").is_some());
    }
}
