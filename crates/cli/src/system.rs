//! What the machine has and how it interrupts us.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Memory for states when the command line does not say: 70% of what is available
/// to this process, or 2 GiB where that cannot be found out.
pub(crate) fn default_memory() -> usize {
    let available = [available_memory(), control_group_limit()].into_iter().flatten().min();
    available.map_or(2 << 30, |bytes| bytes / 10 * 7)
}

fn available_memory() -> Option<usize> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// The most memory that this process ever had, all told, where the system says.
pub(crate) fn peak_memory() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// What a container may use; `max` is no limit.
fn control_group_limit() -> Option<usize> {
    let paths = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    paths.iter().find_map(|path| fs::read_to_string(path).ok()?.trim().parse().ok())
}

/// A flag that Ctrl-C sets. A second Ctrl-C ends the process at once.
pub(crate) fn cancel_on_interrupt() -> Arc<AtomicBool> {
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = cancel.clone();
    // Without a handler Ctrl-C ends the process, which will do.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    cancel
}
