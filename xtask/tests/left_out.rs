//! Says what the tests of this run left out. No framework captures its output, and Cargo runs it as the last
//! program; after it come the examples in the documentation.

use tests::browser::Browser;
use tests::driver::Driver;
use tests::queue_server::QueueServer;
use tests::shared::Material;
use tests::{site, small_disk};

fn main() {
    // Programs that ask for the tests in here get none.
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let missing = Material::all().filter(|material| material.path().is_none());
    let mut left_out: Vec<String> = missing.map(|material| format!("comparing with {material}")).collect();
    if Browser::find().is_none() {
        left_out.push("pages in a browser, of which there is none".to_owned());
    }
    if Driver::find().is_none() {
        left_out.push("games on the page of the board, for there is no chromedriver".to_owned());
    }
    if !site::can_be_built() {
        left_out.push("the static site, for Rust cannot build for browsers".to_owned());
    }
    if QueueServer::find().is_none() {
        left_out.push("matches over a queue, for there is no nats-server".to_owned());
    }
    if !small_disk::can_be_made() {
        left_out.push("the board on a full disk, for this system lets nobody here mount one".to_owned());
    }
    if !cfg!(unix) {
        left_out.push("tests with shells and signals of Unix".to_owned());
    }
    if !cfg!(target_os = "linux") {
        left_out.push("limits of memory, which only Linux keeps".to_owned());
    }
    let list = if left_out.is_empty() { "nothing".to_owned() } else { left_out.join("; ") };
    println!("left out: {list}");
}
