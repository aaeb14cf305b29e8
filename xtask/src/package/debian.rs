//! A package of Debian, by `dpkg-deb`, which needs nothing of the machine but itself.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use md5::{Digest as _, Md5};

use super::files::{Files, gzipped, hexadecimal};
use super::maintainer::Maintainer;
use super::tools::{output_of, run};
use super::{Failure, Parts};

/// Files that belong to the operator once they are installed.
const SETTINGS: [&str; 2] = ["etc/kassa/kassa.env", "etc/kassa/kassa.toml"];
const SCRIPTS: [&str; 3] = ["postinst", "postrm", "prerm"];

pub(super) fn make(root: &Path, parts: &Parts, maintainer: &Maintainer, into: &Path) -> Result<PathBuf, Failure> {
    let (release, program) = (&parts.release, &parts.program);
    let architecture = program.target().architecture();
    let version = format!("{}-1", release.version);
    let mut files = contents(root, parts, maintainer, &version)?;
    let mut sums = String::new();
    for (path, bytes) in files.files().filter(|(path, _)| !SETTINGS.contains(path)) {
        // By these `dpkg --verify` sees damage.
        writeln!(sums, "{}  {path}", hexadecimal(&Md5::digest(bytes)))?;
    }
    let kibibytes: u64 = files.files().map(|(_, bytes)| (bytes.len() as u64).div_ceil(1024)).sum();
    let template = read(root, "packaging/debian/control")?;
    let libraries = libraries(&parts.work, &program.path, program.target().is_static())?;
    let control = template
        .replace("@VERSION@", &version)
        .replace("@ARCHITECTURE@", architecture)
        .replace("@MAINTAINER@", maintainer.as_str())
        .replace("@SIZE@", &kibibytes.to_string())
        .replace("@LIBRARIES@", &libraries);
    files.add("DEBIAN/control", control);
    files.add("DEBIAN/md5sums", sums);
    files.add("DEBIAN/conffiles", SETTINGS.map(|path| format!("/{path}\n")).concat());
    for script in SCRIPTS {
        files.add_program(&format!("DEBIAN/{script}"), read(root, &format!("packaging/debian/{script}"))?);
    }
    let tree = parts.work.join("tree");
    fs::create_dir(&tree)?;
    files.write_folder(&tree)?;
    let place = into.join(format!("kassa_{version}_{architecture}.deb"));
    let mut dpkg = Command::new("dpkg-deb");
    // Every file is of the time of the commit, and root's, whoever makes it.
    dpkg.env("SOURCE_DATE_EPOCH", release.time.to_string()).args(["--root-owner-group", "-Zxz", "--build"]);
    run(dpkg.arg(&tree).arg(&place).stdout(Stdio::null()))?;
    Ok(place)
}

fn contents(root: &Path, parts: &Parts, maintainer: &Maintainer, version: &str) -> Result<Files, Failure> {
    let mut files = Files::default();
    files.add_program("usr/bin/kassa", parts.program.bytes.clone());
    parts.shared.add_to(&mut files, "usr", "vendor-completions")?;
    for unit in ["kassa.service", "kassa.socket"] {
        files.add(&format!("lib/systemd/system/{unit}"), read(root, &format!("packaging/systemd/{unit}"))?);
    }
    files.add("etc/kassa/kassa.toml", read(root, "packaging/kassa.toml")?);
    files.add_private("etc/kassa/kassa.env", read(root, "packaging/kassa.env")?);
    // The whole text of the licence, as Debian's form of it indents it.
    let mut copyright = read(root, "packaging/debian/copyright")?;
    for line in read(root, "LICENSE")?.lines() {
        writeln!(copyright, " {}", if line.trim().is_empty() { "." } else { line })?;
    }
    files.add("usr/share/doc/kassa/copyright", copyright);
    files.add("usr/share/doc/kassa/changelog.gz", gzipped(read(root, "CHANGELOG.md")?.as_bytes())?);
    let changelog = read(root, "packaging/debian/changelog")?;
    let changelog = changelog
        .replace("@VERSION@", version)
        .replace("@MAINTAINER@", maintainer.as_str())
        .replace("@DATE@", &parts.release.debian_date);
    files.add("usr/share/doc/kassa/changelog.Debian.gz", gzipped(changelog.as_bytes())?);
    files.add("usr/share/lintian/overrides/kassa", read(root, "packaging/debian/lintian-overrides")?);
    Ok(files)
}

fn read(root: &Path, path: &str) -> Result<String, Failure> {
    fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}").into())
}

/// What of the system the program needs, as `libc6 (>= 2.36), `.
fn libraries(work: &Path, program: &Path, is_static: bool) -> Result<String, Failure> {
    if is_static {
        return Ok(String::new());
    }
    // It looks for the source of a package where it is started.
    let place = work.join("libraries");
    fs::create_dir_all(place.join("debian"))?;
    fs::write(place.join("debian/control"), "Source: kassa\n\nPackage: kassa\nArchitecture: any\n")?;
    let mut command = Command::new("dpkg-shlibdeps");
    let said = output_of(command.current_dir(&place).arg("-O").arg(program))?;
    let needed = said.lines().find_map(|line| line.strip_prefix("shlibs:Depends="));
    let needed = needed.ok_or("dpkg-shlibdeps says nothing of libraries")?;
    Ok(format!("{needed}, "))
}
