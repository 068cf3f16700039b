//! The service and its page.

use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;

use board::service::{Config, Service};
use clap::Args;

/// Interval at which the service checks whether it should stop.
const POLL: Duration = Duration::from_millis(50);

#[derive(Args)]
pub struct ServeArguments {
    #[command(flatten)]
    config: Config,
    /// Do not open the page in the browser
    #[arg(long)]
    no_open: bool,
}

/// Starts the service, prints its address and opens the page.
pub async fn run(ServeArguments { config, no_open }: ServeArguments) -> anyhow::Result<()> {
    let is_folder = config.league.as_ref().is_some_and(|path| path.is_dir());
    anyhow::ensure!(is_folder || !config.uploads, "--uploads needs the folder of the league as --league FOLDER");
    for (n, (name, _)) in config.options.program.iter().enumerate() {
        let is_new = config.options.program[..n].iter().all(|(known, _)| known != name);
        anyhow::ensure!(is_new, "the program name `{name}` is given twice");
    }
    let service = Service::start(&config).await?;
    writeln!(io::stdout(), "{}", service.url())?;
    if !no_open && let Err(error) = open_in_browser(&service.start_url()) {
        log::warn!("cannot open a browser ({error}); open the address yourself");
    }
    let stop = cli::stop_on_signal()?;
    let end = async {
        while !stop.load(Ordering::Relaxed) {
            tokio::time::sleep(POLL).await;
        }
    };
    service.run(end).await;
    arena::engines::kill_programs();
    Ok(())
}

fn open_in_browser(address: &str) -> io::Result<()> {
    let command: &[&str] = match std::env::consts::OS {
        "windows" => &["cmd", "/C", "start", ""],
        "macos" => &["open"],
        _ => &["xdg-open"],
    };
    let mut browser = Command::new(command[0]);
    browser.args(&command[1..]).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl-C ends the board, not the browser.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut browser, 0);
    browser.spawn().map(drop)
}
