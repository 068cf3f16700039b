//! Archives of the programs for several systems.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use pack::{File, ensure_target_is_installed, licences, remapped, replace};

use crate::workspace::{PROGRAMS, Workspace};

/// Arguments of `cargo xtask release`.
#[derive(Args)]
pub struct ReleaseArguments {
    /// Systems [default: all that this machine can build for]
    #[arg(value_enum)]
    systems: Vec<System>,
    /// Build a second time in another folder and fail if the archives differ
    #[arg(long)]
    twice: bool,
}

/// A system with an archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum System {
    /// Any Linux on x86-64
    #[value(name = "linux-x86_64")]
    LinuxX86_64,
    /// Any Linux on 64-bit ARM
    LinuxArm64,
    /// Windows on x86-64
    #[value(name = "windows-x86_64")]
    WindowsX86_64,
    /// macOS on both processors; needs a Mac
    Macos,
}

impl System {
    /// Returns the name of the archive, and Rust's names of the targets.
    fn names(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::LinuxX86_64 => ("linux-x86_64", &["x86_64-unknown-linux-musl"]),
            Self::LinuxArm64 => ("linux-arm64", &["aarch64-unknown-linux-musl"]),
            Self::WindowsX86_64 => ("windows-x86_64", &["x86_64-pc-windows-gnu"]),
            Self::Macos => ("macos-universal", &["aarch64-apple-darwin", "x86_64-apple-darwin"]),
        }
    }

    /// Returns Rust's names of the targets.
    fn targets(self) -> &'static [&'static str] {
        self.names().1
    }

    /// Returns `true` if this machine can link for the system.
    fn can_be_built_here(self) -> bool {
        self != Self::Macos || cfg!(target_os = "macos")
    }

    /// Returns the suffix of executables.
    fn suffix(self) -> &'static str {
        if self == Self::WindowsX86_64 { ".exe" } else { "" }
    }
}

/// Writes the archives into `target/archives`.
///
/// # Errors
/// If a build fails, a file cannot be read or written, or a second build differs.
pub fn run(arguments: &ReleaseArguments) -> anyhow::Result<()> {
    let workspace = Workspace::find()?;
    let mut systems = arguments.systems.clone();
    if systems.is_empty() {
        systems = System::value_variants().iter().copied().filter(|system| system.can_be_built_here()).collect();
    }
    for system in &systems {
        ensure!(system.can_be_built_here(), "programs for macOS need a Mac");
        for target in system.targets() {
            ensure_target_is_installed(target)?;
        }
    }
    let output = workspace.folder("archives")?;
    for system in systems {
        let name = format!("blokus-{}-{}", workspace.version, system.names().0);
        let archive = build(&workspace, system, &name, &workspace.target)?;
        if arguments.twice {
            let again = build(&workspace, system, &name, &workspace.folder("second")?)?;
            ensure!(again == archive, "a second build of {name} differs");
        }
        let path = output.join(format!("{name}.zip"));
        replace(&path, &archive).with_context(|| format!("cannot write {}", path.display()))?;
        println!("{}: {} bytes", path.display(), archive.len());
    }
    Ok(())
}

/// Builds the programs for a system in a target folder and packs them.
fn build(workspace: &Workspace, system: System, name: &str, folder: &Path) -> anyhow::Result<Vec<u8>> {
    let mut files = ReleaseBuilder { workspace, system, folder }.programs()?;
    for document in ["README.md", "README.de.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        files.push(File::to_read(document, read(&workspace.root.join(document))?));
    }
    files.extend(licences_of(workspace, system)?);
    for file in &mut files {
        file.name = format!("{name}/{}", file.name);
    }
    Ok(pack::zip(&files)?)
}

/// Licences of all packages in the programs.
fn licences_of(workspace: &Workspace, system: System) -> anyhow::Result<Vec<File>> {
    let packages = PROGRAMS.map(|(package, _)| package);
    let (texts, without) = licences::gather_for(&workspace.manifest, &packages, system.targets()[0])?;
    let mut files: Vec<File> =
        texts.into_iter().map(|text| File::to_read(format!("licences/{}", text.name), text.text)).collect();
    let line = |package: &licences::Package| {
        let (licence, authors) = (package.license.as_deref().unwrap_or("unknown"), package.authors.join(", "));
        let place = package.repository.as_deref().unwrap_or_default();
        format!("{} {}: {licence}; {authors}; {place}\n", package.name, package.version)
    };
    let lines: String = without.iter().map(line).collect();
    if !lines.is_empty() {
        files.push(File::to_read("licences/without-a-text.txt", lines));
    }
    Ok(files)
}

/// Builds the programs for a system.
struct ReleaseBuilder<'a> {
    workspace: &'a Workspace,
    system: System,
    /// Cargo's target folder.
    folder: &'a Path,
}

impl ReleaseBuilder<'_> {
    /// Returns the programs as files of the archive.
    fn programs(&self) -> anyhow::Result<Vec<File>> {
        let mut programs = Vec::new();
        let mut built = &PROGRAMS[..];
        match self.system {
            // The contest client, with its AVX2 build appended.
            System::LinuxX86_64 => {
                let contest = self.folder.join("contest");
                fs::create_dir_all(&contest).with_context(|| format!("cannot create {}", contest.display()))?;
                let client = pack::build(&self.workspace.client(), self.folder, &contest)?;
                programs.push(File::program("client", read(&client)?));
                built = &PROGRAMS[1..];
            }
            // Windows cannot run a program from memory, so the AVX2 build is a second program.
            System::WindowsX86_64 => {
                let folder = self.cargo(self.system.targets()[0], &PROGRAMS[..1], &["-Ctarget-cpu=x86-64-v3"])?;
                programs.push(File::program("client-avx2.exe", read(&folder.join("client.exe"))?));
            }
            System::LinuxArm64 | System::Macos => {}
        }
        let folders = self.system.targets().iter().map(|target| self.cargo(target, built, &[]));
        let folders = folders.collect::<anyhow::Result<Vec<_>>>()?;
        for (_, program) in built {
            let name = format!("{program}{}", self.system.suffix());
            let parts: Vec<PathBuf> = folders.iter().map(|folder| folder.join(&name)).collect();
            programs.push(File::program(&name, self.joined(&name, &parts)?));
        }
        Ok(programs)
    }

    /// Joins the builds for several processors into one program.
    fn joined(&self, name: &str, parts: &[PathBuf]) -> anyhow::Result<Vec<u8>> {
        let [part] = parts else {
            let joined = self.folder.join(name);
            let mut lipo = Command::new("lipo");
            run_to_end(lipo.arg("-create").arg("-output").arg(&joined).args(parts))?;
            return read(&joined);
        };
        read(part)
    }

    /// Builds programs with additional compiler options and returns their folder.
    fn cargo(&self, target: &str, programs: &[(&str, &str)], flags: &[&str]) -> anyhow::Result<PathBuf> {
        let mut cargo = Command::new("cargo");
        // Zig compiles and links C for all systems but Apple's.
        cargo.arg(if self.system == System::Macos { "build" } else { "zigbuild" });
        cargo.args(["--locked", "--release", "--target", target]);
        for (package, program) in programs {
            cargo.args(["--package", package, "--bin", program]);
        }
        let paths = remapped(self.folder)?;
        let options = [&[paths.as_str(), "-Cstrip=symbols"], flags].concat();
        cargo.current_dir(&self.workspace.root).env("CARGO_TARGET_DIR", self.folder);
        run_to_end(cargo.env("CARGO_ENCODED_RUSTFLAGS", options.join("\x1f")))?;
        Ok(self.folder.join(target).join("release"))
    }
}

fn run_to_end(command: &mut Command) -> anyhow::Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("cannot run {name}"))?;
    ensure!(
        status.success(),
        "{name} failed: see its messages above; `cargo zigbuild` needs `pip install cargo-zigbuild ziglang`"
    );
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}
