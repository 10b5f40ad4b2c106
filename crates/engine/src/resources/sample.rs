//! How much is used at this moment? Memory, processors and the disk of a folder, by sysinfo.

use std::path::{Path, PathBuf};

use sysinfo::System;
#[cfg(not(unix))]
use sysinfo::{Disk, DiskRefreshKind, Disks};
use waypost_core::resources::Resources;

/// What can be known at once of the machine and the disk of a folder. Processors are measured by the load average of the last
/// minute (`/proc/loadavg`): two readings of `/proc/stat` would have to be 200 ms apart, since it counts in hundredths of a
/// second, and a shorter interval would mostly measure this program itself.
pub fn sample_now(folder: &Path) -> Resources {
    let mut system = System::new();
    // One reading says how many processors there are, not how busy they were.
    system.refresh_cpu_usage();
    Resources { memory: memory(&mut system), cpu: load(&system), disk: disk(folder) }
}

/// The used share of memory: within the bounds of the container where one is set, of the machine otherwise.
pub(super) fn memory(system: &mut System) -> Option<f64> {
    system.refresh_memory();
    let (mut used, mut total) = (system.used_memory(), system.total_memory());
    // Asking for the container's bounds without knowing the machine's memory would panic.
    if total > 0
        && let Some(bounds) = system.cgroup_limits().filter(|bounds| bounds.total_memory < total)
    {
        // What is resident counts; pages of files the kernel gives back when they are needed.
        (used, total) = (bounds.rss, bounds.total_memory);
    }
    share(used, total)
}

/// The load of the last minute as a share of the processors; Windows does not count it.
pub(super) fn load(system: &System) -> Option<f64> {
    let processors = u32::try_from(system.cpus().len()).ok().filter(|count| *count > 0)?;
    let load = if cfg!(windows) { None } else { Some(System::load_average().one) };
    Some((load? / f64::from(processors)).clamp(0.0, 1.0))
}

/// The used share of the disk that a folder is on, or will be on once it exists: of what can be used at all. What is set
/// aside for others is neither used nor free.
#[cfg(unix)]
pub(super) fn disk(folder: &Path) -> Option<f64> {
    let disk = rustix::fs::statvfs(&nearest_existing(folder)?).ok()?;
    let used = disk.f_blocks.saturating_sub(disk.f_bfree);
    share(used, used.saturating_add(disk.f_bavail))
}

/// The used share of the disk that a folder is on, or will be on once it exists: all but what is free to us.
#[cfg(not(unix))]
pub(super) fn disk(folder: &Path) -> Option<f64> {
    let (free, total) = disk_space(folder)?;
    share(total.saturating_sub(free), total)
}

/// What is free to us on the disk of a folder, in bytes.
#[cfg(unix)]
pub(super) fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(&nearest_existing(folder)?).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

/// What is free to us on the disk of a folder, in bytes.
#[cfg(not(unix))]
pub(super) fn free_bytes(folder: &Path) -> Option<u64> {
    disk_space(folder).map(|(free, _)| free)
}

/// What is free to us on the disk of a folder, and what there is in all, in bytes.
#[cfg(not(unix))]
fn disk_space(folder: &Path) -> Option<(u64, u64)> {
    let folder = nearest_existing(folder)?;
    let disks = Disks::new_with_refreshed_list_specifics(DiskRefreshKind::nothing().with_storage());
    let holding = disks.list().iter().filter(|disk| folder.starts_with(disk.mount_point()));
    // The deepest mount point holds it; of two at one place the later one hides the earlier.
    let disk: &Disk = holding.max_by_key(|disk| disk.mount_point().components().count())?;
    Some((disk.available_space(), disk.total_space()))
}

/// A folder with all links resolved, or the nearest above it that exists.
pub(super) fn nearest_existing(folder: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(folder).ok()?;
    absolute.ancestors().find_map(|folder| folder.canonicalize().ok())
}

#[allow(clippy::cast_precision_loss)] // beyond 2^53 bytes the last of them do not matter
fn share(used: u64, total: u64) -> Option<f64> {
    // A tenth of a hundredth is more than anybody acts on, and can be read.
    (total > 0).then(|| ((used as f64 / total as f64).clamp(0.0, 1.0) * 1000.0).round() / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_measured_is_a_share() {
        let folder = tempfile::tempdir().unwrap();
        let resources = sample_now(folder.path());
        for share in [resources.memory, resources.cpu, resources.disk].into_iter().flatten() {
            assert!((0.0..=1.0).contains(&share), "{resources:?}");
        }
        assert!(resources.memory.is_some(), "{resources:?}");
    }

    #[test]
    fn what_is_free_is_that_of_the_folders_disk() {
        let folder = tempfile::tempdir().unwrap();
        assert!(free_bytes(folder.path()).is_some_and(|free| free > 0));
        #[cfg(target_os = "linux")]
        {
            // A file system of the kernel's, which no list of disks names, has no room at all.
            assert_eq!(free_bytes(Path::new("/proc/self")), Some(0));
        }
    }

    #[test]
    fn a_folder_to_come_is_judged_by_the_one_above() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path().canonicalize().unwrap();
        assert_eq!(nearest_existing(&here), Some(here.clone()));
        assert_eq!(nearest_existing(&here.join("not/yet/there")), Some(here));
    }

    #[test]
    fn shares_of_nothing_are_unknown() {
        assert_eq!(share(1, 0), None);
        assert_eq!(share(1, 2), Some(0.5));
        assert_eq!(share(3, 2), Some(1.0));
    }
}
