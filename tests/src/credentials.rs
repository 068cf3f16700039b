//! Keys, certificates and tokens of a queue, made for one test.

use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::BASE64URL_NOPAD;
use nkeys::KeyPair;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer};
use serde_json::{Value, json};

/// Whoever vouches for machines with certificates.
pub struct Authority {
    issuer: Issuer<'static, rcgen::KeyPair>,
    certificate: String,
}

/// Files with a certificate and its key.
pub struct Certificate {
    /// The certificate.
    pub certificate: PathBuf,
    /// The key.
    pub key: PathBuf,
}

impl Default for Authority {
    fn default() -> Self {
        let key = rcgen::KeyPair::generate().expect("keys can be made");
        let mut params = CertificateParams::new([]).expect("no name is no problem");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).expect("a key can sign its own certificate").pem();
        Self { issuer: Issuer::new(params, key), certificate }
    }
}

impl Authority {
    /// A file with the certificate of the authority.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn write(&self, path: &Path) {
        fs::write(path, &self.certificate).expect("the certificate can be written");
    }

    /// A certificate for whoever is called `name`, in the files `NAME.pem` and `NAME-key.pem` of a folder.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn vouch(&self, name: &str, folder: &Path) -> Certificate {
        let key = rcgen::KeyPair::generate().expect("keys can be made");
        let params = CertificateParams::new([name.to_owned()]).expect("the name is one");
        let certificate = params.signed_by(&key, &self.issuer).expect("the authority can sign").pem();
        let [certificate_file, key_file] = [".pem", "-key.pem"].map(|end| folder.join([name, end].concat()));
        fs::write(&certificate_file, certificate).expect("the certificate can be written");
        fs::write(&key_file, key.serialize_pem()).expect("the key can be written");
        Certificate { certificate: certificate_file, key: key_file }
    }
}

/// An operator with one account, by whose word a server lets users in (decentralised authentication of NATS).
pub struct Operator {
    key: KeyPair,
    account: KeyPair,
    /// The account of the server itself.
    system: KeyPair,
}

impl Default for Operator {
    fn default() -> Self {
        Self { key: KeyPair::new_operator(), account: KeyPair::new_account(), system: KeyPair::new_account() }
    }
}

impl Operator {
    /// What a server has to know of it, as a file of settings.
    pub fn settings(&self) -> String {
        let operator = signed(&self.key, &self.key, &json!({ "type": "operator", "version": 2 }));
        let account = |limits: &[&str]| {
            let mut limits: serde_json::Map<String, Value> =
                limits.iter().map(|&name| (name.to_owned(), json!(-1))).collect();
            limits.insert("wildcards".to_owned(), json!(true));
            json!({ "type": "account", "version": 2, "limits": limits })
        };
        let common = ["subs", "data", "payload", "imports", "exports", "conn", "leaf"];
        // Streams are for accounts of users alone.
        let streams = ["mem_storage", "disk_storage", "streams", "consumer"];
        let [accounts, system] = [(&self.account, [&common[..], &streams].concat()), (&self.system, common.to_vec())]
            .map(|(key, limits)| format!("{}: {}", key.public_key(), signed(key, &self.key, &account(&limits))));
        let name = self.system.public_key();
        format!(
            "operator: {operator}\nsystem_account: {name}\nresolver: MEMORY\n\
             resolver_preload: {{\n{accounts}\n{system}\n}}\n"
        )
    }

    /// Credentials of a new user of the account, as `nsc` writes them, and the seed that is secret in them.
    ///
    /// # Panics
    /// If keys of users have no seeds.
    pub fn credentials(&self) -> (String, String) {
        let user = KeyPair::new_user();
        let claims =
            json!({ "type": "user", "version": 2, "pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1 });
        let (token, seed) = (signed(&user, &self.account, &claims), user.seed().expect("a new key has a seed"));
        let text = format!(
            "-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
        );
        (text, seed)
    }
}

/// What an issuer says about a key, as a JSON web token with its signature.
fn signed(subject: &KeyPair, issuer: &KeyPair, claims: &Value) -> String {
    let encoded = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let header = json!({ "typ": "JWT", "alg": "ed25519-nkey" });
    let payload = json!({
        "jti": "0", "iat": 1, "iss": issuer.public_key(), "sub": subject.public_key(), "name": "test", "nats": claims,
    });
    let text = [encoded(&header), encoded(&payload)].join(".");
    let signature = issuer.sign(text.as_bytes()).expect("a key with a seed can sign");
    format!("{text}.{}", BASE64URL_NOPAD.encode(&signature))
}
