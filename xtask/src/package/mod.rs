//! Packages of the program, each made by one command, and with the same bytes whenever it is made from the same commit.
//!
//! Whatever differs between two makings is taken from the commit: the time is its time, the order that of the names,
//! and owners are numbers.

mod arguments;
mod components;
mod debian;
mod files;
mod image;
mod licences;
mod maintainer;
mod program;
mod release;
mod sbom;
mod shared_files;
mod tarball;
mod tools;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use arguments::{PackageArguments, PackageKind};
use components::Components;
use maintainer::Maintainer;
use program::{Program, Target};
use release::Release;
use shared_files::SharedFiles;

pub(crate) use arguments::USAGE;

/// Why there is no package, as a sentence.
type Failure = Box<dyn Error>;

/// What every package is made of.
struct Parts {
    release: Release,
    program: Program,
    shared: SharedFiles,
    /// A folder for what is needed while it is made.
    work: PathBuf,
}

/// Makes a package, and prints where it is.
pub(crate) fn run(words: &[String]) -> Result<(), Failure> {
    let arguments = PackageArguments::parse(words)?;
    let root = repository();
    let release = Release::of_commit(&root, arguments.version.as_deref())?;
    let target = arguments.target.clone().unwrap_or_else(|| Target::usual(arguments.kind));
    let program = match &arguments.program {
        Some(path) => Program::read(path, target)?,
        None => Program::build(&root, target)?,
    };
    let components = Components::read(&root, program.target())?;
    // Several may be made at the same time.
    let work = root.join(format!("target/package-{}", std::process::id()));
    fs::create_dir_all(&work)?;
    let manual_from = arguments.manual_from.as_deref().unwrap_or(&program.path);
    let shared =
        SharedFiles::gather(&root, &work, manual_from, sbom::write(&release, &program, &components), &components)?;
    let parts = Parts { release, program, shared, work };
    fs::create_dir_all(&arguments.into)?;
    let made = match arguments.kind {
        PackageKind::Deb => {
            let named = arguments.maintainer.clone();
            let maintainer = named.map_or_else(|| Maintainer::of_workspace(&root), Ok)?;
            require_reachable(&maintainer, &parts.release)?;
            debian::make(&root, &parts, &maintainer, &arguments.into)?
        }
        PackageKind::Tarball => tarball::make(&root, &parts, &arguments.into)?,
        PackageKind::Image => image::make(&parts, &arguments.into, &arguments.certificates)?,
    };
    fs::remove_dir_all(&parts.work)?;
    println!("{}", made.display());
    Ok(())
}

/// A release is answered for by somebody; others are made to be tried, and may have an address that nobody reads.
fn require_reachable(maintainer: &Maintainer, release: &Release) -> Result<(), Failure> {
    if maintainer.is_reachable() {
        return Ok(());
    }
    let advice =
        "say who answers for the package: --maintainer 'NAME <ADDRESS>', or workspace.metadata.package in Cargo.toml";
    let problem = format!("nobody reads the address of the maintainer, {}: {advice}", maintainer.as_str());
    if release.is_tagged {
        return Err(problem.into());
    }
    eprintln!("package: {problem}");
    Ok(())
}

/// Where the repository is that this program belongs to.
fn repository() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    folder.parent().unwrap_or(folder).to_owned()
}
