//! The machine: its disk, its limits, and the files of the server.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use kassa_http::CONNECTIONS_MAX;
use kassa_store::system_authorities::{NO_AUTHORITIES, has_authorities};
use rustix::fs::statvfs;
use rustix::process::{Resource, getrlimit};

use super::finding::Finding;
use crate::open_files::connections_within;

/// Less than this on the disk is a problem, in bytes: a busy day's sales, and the log of the database.
const FREE_BYTES_MIN: u64 = 1024 * 1024 * 1024;
/// Less than this part of it is one, too, in percent.
const FREE_PERCENT_MIN: u64 = 5;
/// A certificate that ends sooner is a problem, in days: what renews it should have done so.
const CERTIFICATE_DAYS_MIN: i64 = 14;

/// The disk of the data folder, who can read the folder, how many files may be open, and whom the machine trusts.
pub(super) fn look(data: &Path) -> Vec<Finding> {
    let mut findings = vec![look_at_disk(data)];
    findings.extend(look_at_folder(data));
    findings.push(look_at_open_files());
    findings.push(look_at_authorities());
    findings
}

fn look_at_disk(data: &Path) -> Finding {
    // It may not be made yet.
    let there = data.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."));
    let disk = match statvfs(there) {
        Ok(disk) => disk,
        Err(error) => return Finding::unknown("disk", format!("{}: {error}", there.display())),
    };
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let percent = free.saturating_mul(100) / disk.f_blocks.saturating_mul(disk.f_frsize).max(1);
    disk_finding(data, free, percent, disk.f_files > 0 && disk.f_favail == 0)
}

fn disk_finding(data: &Path, free: u64, percent: u64, is_out_of_inodes: bool) -> Finding {
    let text = format!("{} MiB are free for {}, {percent} %", free / 1024 / 1024, data.display());
    if is_out_of_inodes {
        return Finding::problem(
            "disk",
            format!("{text}, but no more files can be made"),
            "remove files from the disk",
        );
    }
    if free < FREE_BYTES_MIN || percent < FREE_PERCENT_MIN {
        return Finding::problem(
            "disk",
            text,
            "free or add space before it is full: a server on a full disk sells nothing",
        );
    }
    Finding::fine("disk", text)
}

fn look_at_folder(data: &Path) -> Option<Finding> {
    let mode = match fs::metadata(data) {
        Ok(folder) => folder.permissions().mode() & 0o777,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => return Some(Finding::unknown("data folder", format!("{}: {error}", data.display()))),
    };
    let text = format!("{} has the mode {mode:04o}", data.display());
    let of_others = mode & 0o077;
    Some(if of_others == 0 {
        Finding::fine("data folder", text)
    } else {
        Finding::problem("data folder", text, format!("chmod 0700 {}: others need not look into it", data.display()))
    })
}

fn look_at_open_files() -> Finding {
    let limit = getrlimit(Resource::Nofile);
    // The server raises the lower of both limits itself.
    let connections = connections_within(limit.maximum);
    let text = format!("they allow {connections} connections of clients");
    if connections < CONNECTIONS_MAX {
        let advice = "allow 21,152 open files: LimitNOFILE= of the unit, or ulimit -Hn. This is about the shell that runs this \
                      command; the server's own limit is in its log";
        return Finding::problem("open files", text, advice);
    }
    Finding::fine("open files", text)
}

fn look_at_authorities() -> Finding {
    if has_authorities() {
        return Finding::fine("authorities", "the machine trusts some");
    }
    Finding::problem("authorities", "the machine trusts none", NO_AUTHORITIES)
}

/// How long a certificate is good for.
pub(super) fn look_at_certificate(file: &Path) -> Finding {
    let ends_at = match kassa_http::certificate_end(file) {
        Ok(ends_at) => ends_at,
        Err(error) => {
            return Finding::problem(
                "certificate",
                error.to_string(),
                "put a certificate there, as PEM, and its chain",
            );
        }
    };
    let days = (ends_at - now_s()).div_euclid(24 * 60 * 60);
    let text = format!("{} ends in {days} days", file.display());
    if days < CERTIFICATE_DAYS_MIN {
        let advice = "renew it, and see why it was not renewed: the server reads the new file by itself";
        return Finding::problem("certificate", text, advice);
    }
    Finding::fine("certificate", text)
}

/// In seconds since 1970.
pub(super) fn now_s() -> i64 {
    rustix::time::clock_gettime(rustix::time::ClockId::Realtime).tv_sec
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_room_is_a_problem() {
        let gib = 1024 * 1024 * 1024;
        for (free, percent, no_inodes, is_problem) in [
            (10 * gib, 50, false, false),
            (10 * gib, 4, false, true),
            (gib - 1, 50, false, true),
            (gib, 5, false, false),
            (10 * gib, 50, true, true),
        ] {
            let finding = disk_finding(Path::new("/data"), free, percent, no_inodes);
            assert_eq!(finding.is_problem(), is_problem, "{finding}");
        }
    }
}
