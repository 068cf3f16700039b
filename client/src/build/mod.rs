//! One program with two builds: one for every processor, and one for processors with AVX2 and BMI2.
//!
//! The package for the contest must start everywhere, but the search is faster with newer instructions. So its program
//! runs on every x86-64 processor, and a second build for newer ones is appended to its file. At its start the program
//! replaces itself with that build, in memory, if the processor can run it. If that fails, it runs as it is.
//!
//! The whole program is exchanged because the search is one large piece of inlined code, and functions with different
//! target features are not inlined into each other.

use std::convert::Infallible;
use std::fmt;
use std::io;

use clap::ValueEnum;
use thiserror::Error;

/// A build of the program, named by the instructions that it requires.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Build {
    /// Runs on every processor of the architecture.
    Baseline,
    /// Requires AVX2, BMI2 and the rest of x86-64-v3.
    Avx2,
}

/// The reason why another build cannot run.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("cannot switch to the {build} build: {reason}")]
pub struct SwitchError {
    build: Build,
    reason: String,
}

/// Last bytes of a file with an appended AVX2 build. The length of that build (`u64`, little-endian) precedes them;
/// `pack` writes both.
#[cfg(target_os = "linux")]
const MARK: [u8; 8] = *b"avx2-end";

impl Build {
    /// The build that is running.
    pub const RUNNING: Self =
        if cfg!(all(target_feature = "avx2", target_feature = "bmi2")) { Self::Avx2 } else { Self::Baseline };

    /// Returns `true` if the processor has the instructions of this build.
    fn is_supported(self) -> bool {
        match self {
            Self::Baseline => true,
            Self::Avx2 => processor_has_v3(),
        }
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Baseline => "baseline",
            Self::Avx2 => "avx2",
        })
    }
}

/// Replaces the running build with the wanted one, with the same arguments. The default is the fastest build in the
/// program that the processor can run. Returns if that build is already running.
///
/// # Errors
/// [`SwitchError`] if it cannot be started. The caller can continue.
pub fn switch(wanted: Option<Build>) -> Result<(), SwitchError> {
    let build = wanted.unwrap_or(Build::Avx2);
    if build == Build::RUNNING || (wanted.is_none() && !build.is_supported()) {
        return Ok(());
    }
    let error = |reason: &dyn fmt::Display| Err(SwitchError { build, reason: reason.to_string() });
    if !build.is_supported() {
        return error(&"the processor lacks instructions that it needs");
    }
    let started = if build == Build::Avx2 { start_appended() } else { Ok(None) };
    match started {
        Ok(Some(never)) => match never {},
        Ok(None) if wanted.is_none() => Ok(()),
        Ok(None) => error(&"this program does not contain it"),
        Err(reason) => error(&reason),
    }
}

/// Returns the [level v3](https://gitlab.com/x86-psABIs/x86-64-ABI) of x86-64.
#[cfg(target_arch = "x86_64")]
fn processor_has_v3() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx2")
        && has!("bmi1")
        && has!("bmi2")
        && has!("f16c")
        && has!("fma")
        && has!("lzcnt")
        && has!("movbe")
        && has!("popcnt")
}

#[cfg(not(target_arch = "x86_64"))]
fn processor_has_v3() -> bool {
    false
}

/// Runs the appended build in place of this program. Returns `None` if there is none.
#[cfg(target_os = "linux")]
fn start_appended() -> io::Result<Option<Infallible>> {
    use std::env;
    use std::ffi::CString;
    use std::fs::File;
    use std::io::{Read, Seek, SeekFrom};
    use std::os::unix::ffi::OsStringExt;

    use nix::fcntl::AtFlags;
    use nix::sys::memfd::{MFdFlags, memfd_create};
    use nix::sys::resource::{Resource, getrlimit};
    use nix::unistd::execveat;

    // Without /proc the first argument names the program.
    let opened = File::open("/proc/self/exe");
    let named = |_| File::open(env::args_os().next().unwrap_or_default());
    let Ok(mut program) = opened.or_else(named) else { return Ok(None) };
    let (mut length, mut mark) = ([0; 8], [0; 8]);
    let end = program.seek(SeekFrom::End(-16))?;
    program.read_exact(&mut length)?;
    program.read_exact(&mut mark)?;
    if mark != MARK {
        return Ok(None);
    }
    let length = u64::from_le_bytes(length);
    let begin = end.checked_sub(length).ok_or(io::ErrorKind::InvalidData)?;
    // Writing beyond this limit would end the program.
    if getrlimit(Resource::RLIMIT_FSIZE)?.0 < length {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    program.seek(SeekFrom::Start(begin))?;
    let mut file = File::from(memfd_create(c"client", MFdFlags::MFD_CLOEXEC)?);
    io::copy(&mut program.take(length), &mut file)?;
    let arguments = env::args_os().map(|argument| CString::new(argument.into_vec()));
    let environment = env::vars_os().map(|(mut name, value)| {
        name.push("=");
        name.push(value);
        CString::new(name.into_vec())
    });
    let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
    let environment = environment.collect::<Result<Vec<_>, _>>()?;
    Ok(Some(execveat(&file, c"", &arguments, &environment, AtFlags::AT_EMPTY_PATH)?))
}

#[cfg(not(target_os = "linux"))]
fn start_appended() -> io::Result<Option<Infallible>> {
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_of_one_build_continues() {
        assert!(switch(None).is_ok());
        assert!(switch(Some(Build::RUNNING)).is_ok());
        let other = Build::value_variants().iter().find(|&&build| build != Build::RUNNING).copied();
        let error = switch(other).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot switch to the {} build: ", other.unwrap())), "{error}");
    }
}
