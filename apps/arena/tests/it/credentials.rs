//! Certificates of a queue server, made for one test by the program `openssl`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A certificate authority in a folder of its own, and the certificate that it issues for the host 127.0.0.1.
pub struct Authority {
    pub authority: PathBuf,
    pub certificate: PathBuf,
    pub key: PathBuf,
}

impl Authority {
    /// Creates an authority with its files in `folder`.
    pub fn new(folder: &Path) -> Self {
        const REQUEST: &str = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2";
        std::fs::create_dir(folder).expect("the folder can be made");
        openssl(folder, &format!("{REQUEST} -subj /CN=authority -keyout key.pem -out authority.pem"));
        openssl(
            folder,
            &format!(
                "{REQUEST} -subj /CN=server -CA authority.pem -CAkey key.pem -addext subjectAltName=IP:127.0.0.1 \
                 -addext basicConstraints=critical,CA:FALSE -keyout server-key.pem -out server.pem"
            ),
        );
        let [authority, certificate, key] =
            ["authority.pem", "server.pem", "server-key.pem"].map(|name| folder.join(name));
        Self { authority, certificate, key }
    }
}

fn openssl(folder: &Path, arguments: &str) {
    let output = Command::new("openssl").args(arguments.split_whitespace()).current_dir(folder).output();
    let output = output.expect("openssl is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
