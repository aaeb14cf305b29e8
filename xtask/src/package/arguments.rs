//! What `package` is told.

use std::path::PathBuf;

use super::Failure;
use super::maintainer::Maintainer;
use super::program::Target;

/// How it is called.
pub(crate) const USAGE: &str = "cargo run -p xtask -- package deb|tarball|image [--into DIR] [--target TRIPLE]
             [--program FILE] [--manual-from FILE] [--version VERSION] [--certificates FILE]
             [--maintainer 'NAME <ADDRESS>']";

/// Whom the image trusts, unless somebody says otherwise: whom the machine trusts that makes it.
const CERTIFICATES: &str = "/etc/ssl/certs/ca-certificates.crt";

/// What is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PackageKind {
    Deb,
    Tarball,
    Image,
}

/// What is made, and of what.
#[derive(Debug)]
pub(super) struct PackageArguments {
    pub(super) kind: PackageKind,
    /// A folder for it.
    pub(super) into: PathBuf,
    pub(super) target: Option<Target>,
    /// A program that is built already.
    pub(super) program: Option<PathBuf>,
    /// A program that runs here and has the same flags, where that of the package does not run.
    pub(super) manual_from: Option<PathBuf>,
    /// In place of the version that the commit has.
    pub(super) version: Option<String>,
    /// Who answers for the package of Debian, in place of whom `Cargo.toml` names.
    pub(super) maintainer: Option<Maintainer>,
    /// The authorities that the image trusts.
    pub(super) certificates: PathBuf,
}

impl PackageArguments {
    pub(super) fn parse(words: &[String]) -> Result<Self, Failure> {
        let usage = || format!("usage: {USAGE}");
        let (kind, flags) = words.split_first().ok_or_else(usage)?;
        let kind = match kind.as_str() {
            "deb" => PackageKind::Deb,
            "tarball" => PackageKind::Tarball,
            "image" => PackageKind::Image,
            _ => return Err(usage().into()),
        };
        let mut parsed = Self {
            kind,
            into: PathBuf::from("target/packages"),
            target: None,
            program: None,
            manual_from: None,
            version: None,
            maintainer: None,
            certificates: PathBuf::from(CERTIFICATES),
        };
        let (pairs, rest) = flags.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(usage().into());
        }
        for [flag, value] in pairs {
            match flag.as_str() {
                "--into" => parsed.into = PathBuf::from(value),
                "--target" => parsed.target = Some(Target::parse(value)?),
                "--program" => parsed.program = Some(PathBuf::from(value)),
                "--manual-from" => parsed.manual_from = Some(PathBuf::from(value)),
                "--version" => parsed.version = Some(value.clone()),
                "--maintainer" => parsed.maintainer = Some(Maintainer::parse(value)?),
                "--certificates" => parsed.certificates = PathBuf::from(value),
                _ => return Err(usage().into()),
            }
        }
        Ok(parsed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<PackageArguments, Failure> {
        PackageArguments::parse(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_package_is_named_with_flags_behind_it() {
        let parsed = parse(&["image", "--target", "aarch64-unknown-linux-musl", "--into", "/packages"]).unwrap();
        assert_eq!((parsed.kind, parsed.into), (PackageKind::Image, PathBuf::from("/packages")));
        assert_eq!(parsed.target.unwrap().triple(), "aarch64-unknown-linux-musl");
        for wrong in [&[][..], &["rpm"], &["deb", "--into"], &["deb", "--colour", "red"]] {
            assert!(parse(wrong).unwrap_err().to_string().starts_with("usage: "), "{wrong:?}");
        }
        let error = parse(&["deb", "--maintainer", "nobody"]).unwrap_err();
        assert!(error.to_string().contains("nobody"));
        let error = parse(&["deb", "--target", "riscv64gc-unknown-linux-gnu"]).unwrap_err();
        assert!(error.to_string().contains("riscv64gc-unknown-linux-gnu"));
    }
}
