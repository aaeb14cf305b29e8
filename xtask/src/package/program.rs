//! The program of a package: built so that the folders of the build are not in it, and two builds have the same bytes.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Failure;
use super::arguments::PackageKind;
use super::tools::{output_of, run};

/// What it is built for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target(String);

impl Target {
    /// Where packages are made for, with Debian's names and those of images.
    const KNOWN: [(&str, &str); 2] = [("x86_64", "amd64"), ("aarch64", "arm64")];

    pub(super) fn parse(triple: &str) -> Result<Self, Failure> {
        let known = Self::KNOWN.iter().any(|(machine, _)| {
            ["gnu", "musl"].iter().any(|library| triple == format!("{machine}-unknown-linux-{library}"))
        });
        if known { Ok(Self(triple.to_owned())) } else { Err(format!("no packages are made for {triple}").into()) }
    }

    /// A package of Debian has the system's C library; what runs anywhere brings its own.
    pub(super) fn usual(kind: PackageKind) -> Self {
        let library = if kind == PackageKind::Deb { "gnu" } else { "musl" };
        Self(format!("{}-unknown-linux-{library}", env::consts::ARCH))
    }

    pub(super) fn triple(&self) -> &str {
        &self.0
    }

    /// `x86_64` or `aarch64`.
    pub(super) fn machine(&self) -> &str {
        self.0.split('-').next().unwrap_or_default()
    }

    /// `amd64` or `arm64`.
    pub(super) fn architecture(&self) -> &'static str {
        let known = Self::KNOWN.iter().find(|(machine, _)| *machine == self.machine());
        known.map_or("all", |(_, architecture)| architecture)
    }

    /// Whether the program needs nothing of the system that it runs on.
    pub(super) fn is_static(&self) -> bool {
        self.0.ends_with("musl")
    }
}

/// A program that is built.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
    target: Target,
}

impl Program {
    pub(super) fn target(&self) -> &Target {
        &self.target
    }

    pub(super) fn read(path: &Path, target: Target) -> Result<Self, Failure> {
        let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        if target.is_static() && names_loader(&bytes).ok_or_else(|| format!("{} is no program", path.display()))? {
            return Err(format!("{} needs a C library of the system: it is not static", path.display()).into());
        }
        Ok(Self { path: fs::canonicalize(path)?, bytes, target })
    }

    pub(super) fn build(root: &Path, target: Target) -> Result<Self, Failure> {
        let places = Places::find(root)?;
        let triple = target.triple();
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(root).args([
            "build",
            "--locked",
            "--profile",
            "dist",
            "--package",
            "kassa",
            "--target",
            triple,
        ]);
        cargo.env("CARGO_ENCODED_RUSTFLAGS", places.rust_flags());
        // The compilers of C write paths, too. Those for other machines are told more.
        let variable = format!("CFLAGS_{}", triple.replace('-', "_"));
        let mut flags = places.c_flags();
        flags.push(env::var_os(&variable).unwrap_or_default());
        cargo.env(variable, flags);
        run(&mut cargo)?;
        let program = Self::read(&places.target.join(triple).join("dist/kassa"), target)?;
        if let Some(place) = places.all().find(|place| contains(&program.bytes, place.as_os_str().as_encoded_bytes())) {
            return Err(format!("{} is in the program, which would differ elsewhere", place.display()).into());
        }
        Ok(program)
    }
}

/// For compilers of C: when they ran must not matter. Libraries say it in what they print of themselves.
const WITHOUT_TIME: &str = r#"-Wno-builtin-macro-redefined -D__DATE__="" -D__TIME__="" "#;

/// Folders whose names must not matter.
struct Places {
    root: PathBuf,
    target: PathBuf,
    /// Sources of crates, a folder for each registry.
    registries: Vec<PathBuf>,
}

impl Places {
    fn find(root: &Path) -> Result<Self, Failure> {
        let mut cargo = Command::new(env!("CARGO"));
        let metadata = cargo.current_dir(root).args(["metadata", "--format-version", "1", "--no-deps", "--locked"]);
        let metadata: serde_json::Value = serde_json::from_str(&output_of(metadata)?)?;
        let target = metadata["target_directory"].as_str().ok_or("cargo metadata names no target folder")?;
        let home = env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = home.or_else(|| Some(env::home_dir()?.join(".cargo"))).ok_or("there is no folder of cargo")?;
        // They come with the first build.
        let mut fetch = Command::new(env!("CARGO"));
        run(fetch.current_dir(root).args(["fetch", "--quiet", "--locked"]))?;
        let mut registries = Vec::new();
        for entry in fs::read_dir(home.join("registry/src"))? {
            registries.push(entry?.path());
        }
        Ok(Self { root: root.to_owned(), target: PathBuf::from(target), registries })
    }

    fn all(&self) -> impl Iterator<Item = &Path> {
        [&self.root, &self.target].into_iter().chain(&self.registries).map(PathBuf::as_path)
    }

    /// Each with the name that it gets instead. The last that fits is taken, and the target folder may be in the root.
    fn renamed(&self) -> impl Iterator<Item = (&Path, &'static str)> {
        let registries = self.registries.iter().map(|registry| (registry.as_path(), "/registry"));
        registries.chain([(self.root.as_path(), "/kassa"), (self.target.as_path(), "/kassa/target")])
    }

    fn rust_flags(&self) -> OsString {
        let mut flags = OsString::new();
        for (place, name) in self.renamed() {
            if !flags.is_empty() {
                flags.push("\x1f");
            }
            flags.push("--remap-path-prefix=");
            flags.push(place);
            flags.push("=");
            flags.push(name);
        }
        flags
    }

    fn c_flags(&self) -> OsString {
        let mut flags = OsString::from(WITHOUT_TIME);
        for (place, name) in self.renamed() {
            flags.push("-ffile-prefix-map=");
            flags.push(place);
            flags.push("=");
            flags.push(name);
            flags.push(" ");
        }
        flags
    }
}

/// Whether a program of 64 bits (ELF) names what loads it and its libraries, as a segment of the type `PT_INTERP`; `None`
/// where it is no such program.
fn names_loader(bytes: &[u8]) -> Option<bool> {
    const PT_INTERP: u64 = 3;
    let number = |at: usize, length: usize| {
        let part = bytes.get(at..at.checked_add(length)?)?;
        Some(part.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    };
    if !bytes.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let (table, size, count) = (usize::try_from(number(32, 8)?).ok()?, number(54, 2)?, number(56, 2)?);
    for at in 0..count {
        let segment = table.checked_add(usize::try_from(at * size).ok()?)?;
        if number(segment, 4)? == PT_INTERP {
            return Some(true);
        }
    }
    Some(false)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_the_build_get_other_names() {
        let places = Places {
            root: PathBuf::from("/home/anna/kassa"),
            target: PathBuf::from("/home/anna/kassa/target"),
            registries: vec![PathBuf::from("/home/anna/.cargo/registry/src/a")],
        };
        let flags = places.rust_flags().into_string().unwrap();
        let flags: Vec<&str> = flags.split('\x1f').collect();
        assert_eq!(flags[0], "--remap-path-prefix=/home/anna/.cargo/registry/src/a=/registry");
        assert_eq!(flags[2], "--remap-path-prefix=/home/anna/kassa/target=/kassa/target");
        let flags = places.c_flags().into_string().unwrap();
        let flags = flags.strip_prefix(WITHOUT_TIME).unwrap();
        assert!(flags.starts_with("-ffile-prefix-map=/home/anna/.cargo/"));
    }

    #[test]
    fn a_program_that_needs_a_library_is_not_static() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kassa");
        // A header, and a table of two segments behind it.
        let elf = |segment: u8| {
            let mut bytes = vec![0; 64 + 2 * 56];
            bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
            (bytes[32], bytes[54], bytes[56]) = (64, 56, 2);
            (bytes[64], bytes[64 + 56]) = (6, segment);
            bytes
        };
        let target = |triple: &str| Target::parse(triple).unwrap();
        let read = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            Program::read(&path, target("x86_64-unknown-linux-musl")).map_err(|error| error.to_string())
        };
        assert!(read(b"#!/bin/sh").unwrap_err().contains("is no program"));
        assert!(read(&elf(1)).is_ok());
        assert!(read(&elf(3)).unwrap_err().contains("it is not static"));
        let program = Program::read(&path, target("x86_64-unknown-linux-gnu")).unwrap();
        assert_eq!((program.target().machine(), program.target().architecture()), ("x86_64", "amd64"));
    }
}
