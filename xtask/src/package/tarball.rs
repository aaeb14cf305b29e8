//! The static program with all that belongs to it, for any Linux: to be unpacked below `/usr/local`.

use std::fs;
use std::path::{Path, PathBuf};

use super::files::{Files, gzipped};
use super::{Failure, Parts};

pub(super) fn make(root: &Path, parts: &Parts, into: &Path) -> Result<PathBuf, Failure> {
    let (release, program) = (&parts.release, &parts.program);
    let target = program.target();
    if !target.is_static() {
        return Err(format!("a tarball is for any Linux: {} is not static", target.triple()).into());
    }
    let name = format!("kassa-{}-{}-linux", release.version.replace('~', "-"), target.machine());
    let mut files = Files::default();
    files.add_program(&format!("{name}/bin/kassa"), program.bytes.clone());
    parts.shared.add_to(&mut files, &name, "site-functions")?;
    let source = |path: &str| fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"));
    for unit in ["kassa.service", "kassa.socket"] {
        let text = source(&format!("packaging/systemd/{unit}"))?;
        files.add(&format!("{name}/lib/systemd/system/{unit}"), text.replace("/usr/bin/kassa", "/usr/local/bin/kassa"));
    }
    let documents = [
        ("INSTALL.md", "packaging/tarball/INSTALL.md"),
        ("LICENSE", "LICENSE"),
        ("CHANGELOG.md", "CHANGELOG.md"),
        ("kassa.toml", "packaging/kassa.toml"),
        ("kassa.env", "packaging/kassa.env"),
    ];
    for (document, path) in documents {
        files.add(&format!("{name}/share/doc/kassa/{document}"), source(path)?);
    }
    let place = into.join(format!("{name}.tar.gz"));
    fs::write(&place, gzipped(&files.write_tar(release.time, Vec::new())?)?)?;
    Ok(place)
}
