//! Archives of the programs for systems of all kinds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use pack::{Effort, File, Order, ensure_target_is_installed, licences, remapped, replace};
use sha2::{Digest, Sha256};

use crate::documents;
use crate::workspace::{PROGRAMS, Workspace};

/// The profile in the workspace's `Cargo.toml`: as `release`, without symbols.
const PROFILE: &str = "dist";

/// The file with the sums of all archives, as `sha256sum --check` reads it.
const SUMS: &str = "SHA256SUMS";

/// The arguments of `cargo xtask release`.
#[derive(Args)]
pub struct ReleaseArguments {
    /// The systems [default: all that this machine can build for]
    #[arg(value_enum)]
    systems: Vec<System>,
    /// Build everything again in another folder, and fail if that makes other archives
    #[arg(long)]
    twice: bool,
}

/// Target system of an archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum System {
    /// Linux on x86-64, of any age
    LinuxX86_64,
    /// Linux on 64-bit ARM, of any age
    LinuxArm64,
    /// Windows on x86-64
    WindowsX86_64,
    /// macOS for both kinds of processors; needs a Mac for linking
    Macos,
}

impl System {
    /// The names that Rust has for it.
    fn targets(self) -> &'static [&'static str] {
        match self {
            Self::LinuxX86_64 => &["x86_64-unknown-linux-musl"],
            Self::LinuxArm64 => &["aarch64-unknown-linux-musl"],
            Self::WindowsX86_64 => &["x86_64-pc-windows-gnu"],
            Self::Macos => &["aarch64-apple-darwin", "x86_64-apple-darwin"],
        }
    }

    /// Name in archive file names.
    fn name(self) -> &'static str {
        match self {
            Self::LinuxX86_64 => "linux-x86_64",
            Self::LinuxArm64 => "linux-arm64",
            Self::WindowsX86_64 => "windows-x86_64",
            Self::Macos => "macos-universal",
        }
    }

    fn can_be_built_here(self) -> bool {
        self != Self::Macos || cfg!(target_os = "macos")
    }

    /// The end of the names of programs.
    fn suffix(self) -> &'static str {
        if self == Self::WindowsX86_64 { ".exe" } else { "" }
    }
}

/// Makes the archives.
///
/// # Errors
/// If something cannot be built, read or written, or the archives are not the same if they are built again.
pub fn run(arguments: &ReleaseArguments) -> anyhow::Result<()> {
    let workspace = Workspace::find()?;
    let mut systems = arguments.systems.clone();
    if systems.is_empty() {
        systems = System::value_variants().iter().copied().filter(|system| system.can_be_built_here()).collect();
    }
    for system in &systems {
        ensure!(system.can_be_built_here(), "programs for macOS can be built on a Mac alone");
        for target in system.targets() {
            ensure_target_is_installed(target)?;
        }
    }
    let output = workspace.folder("archives")?;
    let documents = documents::of_programs(&workspace)?;
    let mut sums = String::new();
    for system in systems {
        let name = format!("blokus-{}-{}", workspace.version, system.name());
        let archive = build(&workspace, system, &name, &documents, "first")?;
        if arguments.twice {
            let again = build(&workspace, system, &name, &documents, "second")?;
            ensure!(sha256(&again) == sha256(&archive), "{name} is another archive if it is built again");
        }
        let path = output.join(format!("{name}.zip"));
        replace(&path, &archive).with_context(|| format!("cannot write {}", path.display()))?;
        println!("{}: {} bytes", path.display(), archive.len());
        sums += &format!("{}  {name}.zip\n", sha256(&archive));
    }
    let path = output.join(SUMS);
    // Keeps archives that were made before.
    let earlier = fs::read_to_string(&path).unwrap_or_default();
    let others = earlier.lines().filter(|line| {
        let name = line.split_whitespace().last().unwrap_or_default();
        !sums.contains(name) && output.join(name).is_file()
    });
    let sums = others.map(|line| format!("{line}\n")).chain([sums.clone()]).collect::<String>();
    replace(&path, sums.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    print!("{sums}");
    Ok(())
}

/// Builds everything for a system in a folder of its own, and packs it.
fn build(
    workspace: &Workspace,
    system: System,
    name: &str,
    documents: &[File],
    folder: &str,
) -> anyhow::Result<Vec<u8>> {
    let target_folder = workspace.target.join("release-builds").join(folder);
    let builder = Builder { workspace, system, folder: &target_folder };
    let mut files = builder.programs()?;
    for document in ["README.md", "README.de.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        files.push(File::to_read(document, read(&workspace.root.join(document))?));
    }
    files.extend(documents.iter().cloned());
    files.extend(licences_of(workspace, system)?);
    for file in &mut files {
        file.name = format!("{name}/{}", file.name);
    }
    Ok(pack::zip(&files, Effort::Usual)?)
}

/// The texts of all that is in the programs.
fn licences_of(workspace: &Workspace, system: System) -> anyhow::Result<Vec<File>> {
    let packages = PROGRAMS.map(|(package, _)| package);
    let (texts, without) = licences::gather_for(&workspace.manifest(), &packages, system.targets()[0])?;
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
struct Builder<'a> {
    workspace: &'a Workspace,
    system: System,
    /// The target folder of Cargo.
    folder: &'a Path,
}

impl Builder<'_> {
    /// The programs as files of the archive.
    fn programs(&self) -> anyhow::Result<Vec<File>> {
        let mut programs = Vec::new();
        let mut built = &PROGRAMS[..];
        match self.system {
            // The one of the contest, which has its faster build in it.
            System::LinuxX86_64 => {
                let manifest = self.workspace.manifest();
                let order = Order { manifest: &manifest, package: "blokus-client", program: "client" };
                programs.push(File::program("client", read(&pack::build(&order, self.folder, self.folder)?)?));
                built = &PROGRAMS[1..];
            }
            // Windows cannot start a program from memory, so the archive contains both builds.
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

    /// One program for all kinds of processors.
    fn joined(&self, name: &str, parts: &[PathBuf]) -> anyhow::Result<Vec<u8>> {
        let [part] = parts else {
            let joined = self.folder.join(name);
            let mut lipo = Command::new("lipo");
            run_to_end(lipo.arg("-create").arg("-output").arg(&joined).args(parts))?;
            return read(&joined);
        };
        read(part)
    }

    /// Builds programs with some compiler options; the folder with them.
    fn cargo(&self, target: &str, programs: &[(&str, &str)], flags: &[&str]) -> anyhow::Result<PathBuf> {
        let mut cargo = Command::new("cargo");
        // Zig compiles and links C for all systems but Apple's, whose own tools are there on a Mac.
        cargo.arg(if self.system == System::Macos { "build" } else { "zigbuild" });
        cargo.args(["--locked", "--profile", PROFILE, "--target", target]);
        for (package, program) in programs {
            cargo.args(["--package", package, "--bin", program]);
        }
        let flags =
            remapped(&self.workspace.root, self.folder)?.into_iter().chain(flags.iter().map(|&flag| flag.to_owned()));
        cargo.current_dir(&self.workspace.root).env("CARGO_TARGET_DIR", self.folder);
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.collect::<Vec<_>>().join("\x1f"));
        run_to_end(&mut cargo)?;
        Ok(self.folder.join(target).join(PROFILE))
    }
}

fn run_to_end(command: &mut Command) -> anyhow::Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("cannot run {name}"))?;
    if !status.success() {
        bail!("{name} failed; the reason stands above. For `cargo zigbuild`: pip install cargo-zigbuild ziglang");
    }
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_systems() {
        for system in System::value_variants() {
            assert_eq!(system.suffix() == ".exe", system.name().starts_with("windows"));
            assert_eq!(system.targets().len(), if system.name().ends_with("universal") { 2 } else { 1 });
        }
    }

    #[test]
    fn sums_are_those_of_other_programs() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
