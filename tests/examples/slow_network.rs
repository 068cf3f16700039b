//! Runs a client behind a slow network: `slow_network MS COMMAND … --host HOST --port PORT`.
//!
//! The command gets the address of a relay in the place of the server's. Whatever goes through it,
//! in both directions, arrives up to MS milliseconds later.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [delay, program, own @ .., host_flag, host, port_flag, port] = &arguments[..] else {
        bail!("expected MS COMMAND … --host HOST --port PORT");
    };
    if (host_flag.as_str(), port_flag.as_str()) != ("--host", "--port") {
        bail!("`{host_flag} {host} {port_flag} {port}`: expected --host HOST --port PORT at the end");
    }
    let delay = delay.parse().with_context(|| format!("`{delay}`: expected milliseconds"))?;
    let port: u16 = port.parse().with_context(|| format!("`{port}`: expected a port"))?;
    let relay = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("cannot open a port")?;
    let relay_port = relay.local_addr()?.port().to_string();
    let mut client = Command::new(program)
        .args(own)
        .args(["--host", "127.0.0.1", "--port", &relay_port])
        .spawn()
        .with_context(|| format!("cannot start {program}"))?;
    let (own_side, _) = relay.accept().context("the client does not connect")?;
    let server_side = TcpStream::connect((host.as_str(), port)).context("cannot connect to the server")?;
    for (seed, (from, to)) in [(&own_side, &server_side), (&server_side, &own_side)].into_iter().enumerate() {
        let (from, to) = (from.try_clone()?, to.try_clone()?);
        to.set_nodelay(true)?;
        thread::spawn(move || pass_on(from, to, delay, seed as u64));
    }
    let status = client.wait().context("the client cannot be waited for")?;
    std::process::exit(status.code().unwrap_or(1));
}

/// Passes bytes on, each piece after a random delay, until one side hangs up.
fn pass_on(mut from: TcpStream, mut to: TcpStream, most: u64, seed: u64) -> io::Result<()> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut buffer = [0; 1 << 16];
    loop {
        let length = from.read(&mut buffer)?;
        if length == 0 {
            return to.shutdown(Shutdown::Write);
        }
        thread::sleep(Duration::from_millis(rng.random_range(0..=most)));
        to.write_all(&buffer[..length])?;
    }
}
