//! The priority of the thread that answers.

/// Lets this thread run before others as soon as it wakes, on Linux and where the system allows it. It sleeps nearly
/// always, so that it takes nothing from them. Threads that it starts later inherit the priority.
#[cfg(target_os = "linux")]
pub fn raise() {
    /// The highest priority ("nice" value).
    const HIGHEST: i32 = -20;

    // Most systems refuse this to ordinary users.
    _ = rustix::process::setpriority_process(None, HIGHEST);
}

/// Does nothing on other systems.
#[cfg(not(target_os = "linux"))]
pub fn raise() {}
