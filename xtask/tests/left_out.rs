//! Says what the tests of this run left out. No framework captures its output, and Cargo runs it as the last
//! program; after it come the examples in the documentation.

use tests::queue_server::QueueServer;
use tests::shared::Material;

fn main() {
    // Programs that ask for the tests in here get none.
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let missing = Material::all().filter(|material| material.path().is_none());
    let mut left_out: Vec<String> = missing.map(|material| format!("comparing with {material}")).collect();
    if QueueServer::find().is_none() {
        left_out.push("matches over a queue, for there is no nats-server".to_owned());
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
