//! Certificates of a queue server, made for one test by the program `openssl`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A certificate authority in a folder of its own.
pub struct Authority {
    folder: PathBuf,
}

/// A certificate and its key.
pub struct Certificate {
    /// The certificate file.
    pub certificate: PathBuf,
    /// The key file.
    pub key: PathBuf,
}

impl Authority {
    /// Creates an authority with its files in `folder`.
    ///
    /// # Panics
    /// If `openssl` fails.
    pub fn new(folder: &Path) -> Self {
        std::fs::create_dir(folder).expect("the folder can be made");
        openssl(
            folder,
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=authority -days 2 -keyout key.pem -out authority.pem",
        );
        Self { folder: folder.to_owned() }
    }

    /// The file with its own certificate.
    pub fn certificate(&self) -> PathBuf {
        self.folder.join("authority.pem")
    }

    /// Issues a certificate for the host 127.0.0.1.
    ///
    /// # Panics
    /// If `openssl` fails.
    pub fn issue(&self) -> Certificate {
        openssl(
            &self.folder,
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=server -days 2 \
             -CA authority.pem -CAkey key.pem -addext subjectAltName=IP:127.0.0.1 \
             -addext basicConstraints=critical,CA:FALSE -keyout server-key.pem -out server.pem",
        );
        Certificate { certificate: self.folder.join("server.pem"), key: self.folder.join("server-key.pem") }
    }
}

fn openssl(folder: &Path, arguments: &str) {
    let output = Command::new("openssl").args(arguments.split_whitespace()).current_dir(folder).output();
    let output = output.expect("openssl is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
