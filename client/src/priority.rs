//! The priority of the thread that answers.

/// Gives this thread the highest priority, on Linux and where the system allows it. The thread sleeps nearly always, so
/// that others lose nothing. Threads that it starts later inherit the priority.
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
