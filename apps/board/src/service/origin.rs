//! Refuses requests of other origins, and sets the security headers of all answers.
//!
//! Pages of other origins run in the same browser. They can send requests to this machine, but cannot forge `Host` and
//! `Origin`. So `Host` must be a name of this service, against names that are made to point here, and `Origin`, if
//! present, must be the page's.

use std::net::SocketAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::failure::failure;

/// The accepted values of `Host`: names with the port, which browsers leave out if it is [`HTTP`].
#[derive(Clone)]
pub(super) struct Names(Vec<String>);

/// The port of addresses without one.
const HTTP: u16 = 80;

impl Names {
    /// Returns the names of an address and other names for it.
    pub fn new(address: SocketAddr, others: &[String]) -> Self {
        let port = address.port();
        let own = ["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned()];
        let own = own.into_iter().filter(|_| address.ip().is_loopback() || address.ip().is_unspecified());
        let named = others.iter().map(|name| name.to_ascii_lowercase());
        let mut names: Vec<String> = own.chain(named).map(|name| format!("{name}:{port}")).collect();
        names.push(address.to_string());
        if port == HTTP {
            let bare = |name: &String| name.strip_suffix(&format!(":{port}")).map(str::to_owned);
            names.extend(names.iter().filter_map(bare).collect::<Vec<_>>());
        }
        Self(names)
    }

    fn allow(&self, headers: &HeaderMap) -> Result<(), &'static str> {
        let text =
            |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default().to_ascii_lowercase());
        let host = text(header::HOST).unwrap_or_default();
        if !self.0.contains(&host) {
            return Err("the service has another name; see --host");
        }
        match text(header::ORIGIN) {
            Some(origin) if origin != format!("http://{host}") => {
                Err("pages of other origins may not use this service")
            }
            _ => Ok(()),
        }
    }
}

/// These forbid loading from elsewhere, framing, and passing the address with its secret on.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

pub(super) async fn check_origin(State(names): State<Names>, request: Request, next: Next) -> Response {
    let mut response = match names.allow(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(reason) => failure(StatusCode::FORBIDDEN, "forbidden", reason).into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_need_the_port_unless_it_is_80() {
        let allows = |port, host: &str| {
            let names = Names::new(SocketAddr::from(([127, 0, 0, 1], port)), &["Blokus.example".to_owned()]);
            names.allow(&HeaderMap::from_iter([(header::HOST, host.parse().unwrap())])).is_ok()
        };
        for (port, host, is_allowed) in [
            (8080, "localhost:8080", true),
            (8080, "blokus.example:8080", true),
            (8080, "localhost", false),
            (80, "localhost", true),
            (80, "localhost:80", true),
            (80, "blokus.example", true),
            (80, "other.example", false),
        ] {
            assert_eq!(allows(port, host), is_allowed, "{host} at {port}");
        }
    }
}
