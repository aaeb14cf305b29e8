//! Which module of a crate names which other: the `use` lines and paths of its sources, re-exports resolved.

use std::collections::{BTreeMap, BTreeSet};

use crate::source_code::code_of;
use crate::tree::Tree;

/// A module by the names that lead to it; the crate's root has none.
pub(crate) type ModulePath = Vec<String>;

/// One module names another, or something in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Import {
    pub(crate) from: ModulePath,
    pub(crate) to: ModulePath,
    /// The file that names it, and the line, counted from one.
    pub(crate) file: String,
    pub(crate) line: usize,
}

/// A path as a source writes it: the segments after `crate`, and the name that it gets.
#[derive(Clone, Debug)]
struct NamedPath {
    segments: Vec<String>,
    /// What a `use` calls it; `*` for all that is there.
    name: String,
    line: usize,
    is_use: bool,
}

/// The modules of one crate, and what they name.
pub(crate) struct Modules {
    files: BTreeMap<ModulePath, (String, Vec<NamedPath>)>,
}

impl Modules {
    /// Reads the sources below `folder`, such as `crates/kassa-http/src`. Tests are left out: they may name anything.
    pub(crate) fn below(tree: &Tree, folder: &str) -> Self {
        let mut files = BTreeMap::new();
        let mut tests: Vec<ModulePath> = Vec::new();
        for file in tree.files.iter().filter(|file| file.is_rust()) {
            let Some(inner) = file.path.strip_prefix(folder).and_then(|path| path.strip_prefix('/')) else { continue };
            let module = module_of(inner);
            let code = code_of(&file.text);
            tests.extend(test_modules(&code).map(|name| [module.as_slice(), &[name.to_owned()]].concat()));
            let paths = paths_of(&without_tests(&code), &module);
            files.insert(module, (file.path.clone(), paths));
        }
        files.retain(|module: &ModulePath, _| !tests.iter().any(|test| module.starts_with(test)));
        Self { files }
    }

    /// The names of the crate's outermost modules.
    pub(crate) fn outermost(&self) -> BTreeSet<&str> {
        self.files.keys().filter_map(|module| module.first()).map(String::as_str).collect()
    }

    /// All imports between two different modules of the crate.
    pub(crate) fn imports(&self) -> Vec<Import> {
        let mut imports = Vec::new();
        for (from, (file, paths)) in &self.files {
            for path in paths {
                let to = self.resolve(&path.segments, RE_EXPORTS_MAX);
                if to != *from {
                    imports.push(Import { from: from.clone(), to, file: file.clone(), line: path.line });
                }
            }
        }
        imports
    }

    /// The module that a path leads to, or the one that defines what it leads to.
    fn resolve(&self, segments: &[String], steps: usize) -> ModulePath {
        let depth = (0..=segments.len()).rev().find(|depth| self.files.contains_key(&segments[..*depth]));
        let (module, rest) = segments.split_at(depth.unwrap_or(0));
        let named = rest.first().filter(|_| steps > 0);
        let re_exported = named.and_then(|name| self.re_export(module, name));
        match re_exported {
            Some(path) => self.resolve(&[path, &rest[1..]].concat(), steps - 1),
            None => module.to_vec(),
        }
    }

    /// What a `use` of this module makes of a name.
    fn re_export(&self, module: &[String], name: &str) -> Option<&[String]> {
        let (_, paths) = self.files.get(module)?;
        paths.iter().find(|path| path.is_use && path.name == name).map(|path| path.segments.as_slice())
    }
}

/// How many re-exports of re-exports are followed.
const RE_EXPORTS_MAX: usize = 8;

/// The module that a file, named from the crate's sources, holds.
fn module_of(file: &str) -> ModulePath {
    let mut names: ModulePath = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if matches!(names.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        names.pop();
    }
    names
}

/// The names of modules that are files of their own, for tests only.
fn test_modules(code: &str) -> impl Iterator<Item = &str> {
    let items = code.split(TEST).skip(1).map(str::trim_start);
    items
        .filter_map(|item| item.strip_prefix("mod ")?.split_once(';'))
        .map(|(name, _)| name.trim())
        .filter(|name| is_name(name))
}

/// What stands before an item that is for tests only.
const TEST: &str = "#[cfg(test)]";

/// Code with items under `#[cfg(test)]` blanked.
fn without_tests(code: &str) -> String {
    let (mut kept, mut rest) = (String::new(), code);
    while let Some(at) = rest.find(TEST) {
        let (before, item) = rest.split_at(at);
        kept.push_str(before);
        let (blanked, after) = item.split_at(item_length(item));
        kept.extend(blanked.chars().filter(|c| *c == '\n'));
        rest = after;
    }
    kept + rest
}

/// Length of the item that code begins with: to its semicolon, or to the end of its braces.
fn item_length(item: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in item.char_indices() {
        match c {
            ';' if depth == 0 => return at + 1,
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    item.len()
}

/// Words and signs of code, with their lines.
fn tokens(code: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    for (line, number) in code.lines().zip(1..) {
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let length = if rest.starts_with("::") { 2 } else { word.max(c.len_utf8()) };
            let (token, after) = rest.split_at(length);
            if !c.is_whitespace() {
                found.push((token, number));
            }
            rest = after;
        }
    }
    found
}

/// The paths that begin with `crate`, `super` or `self`; of `use` lines, each with the name that it gives.
fn paths_of(code: &str, module: &[String]) -> Vec<NamedPath> {
    let tokens = tokens(code);
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let (token, line) = tokens[at];
        if token == "use" {
            at = use_tree(&tokens, at + 1, &[], &mut |written, name| {
                if let Some(segments) = from_root(&written, module) {
                    paths.push(NamedPath { segments, name, line, is_use: true });
                }
            });
        } else if matches!(token, "crate" | "super" | "self") && tokens.get(at + 1).is_some_and(|next| next.0 == "::") {
            let follows_dollar = at > 0 && tokens[at - 1].0 == "$";
            let mut written = vec![token.to_owned()];
            while tokens.get(at + 1).is_some_and(|next| next.0 == "::")
                && tokens.get(at + 2).is_some_and(|next| is_name(next.0))
            {
                written.push(tokens[at + 2].0.to_owned());
                at += 2;
            }
            at += 1;
            // An exported macro is at the root wherever it is written, and names what other crates see.
            let is_of_macro = follows_dollar || tokens.get(at).is_some_and(|next| next.0 == "!");
            if let Some(segments) = from_root(&written, module).filter(|_| !is_of_macro) {
                paths.push(NamedPath { segments, name: String::new(), line, is_use: false });
            }
        } else {
            at += 1;
        }
    }
    paths
}

/// Reads one tree of a `use` line from `at`, gives its leaves with their names, and says where it ends.
fn use_tree(
    tokens: &[(&str, usize)],
    mut at: usize,
    above: &[String],
    leaf: &mut impl FnMut(Vec<String>, String),
) -> usize {
    let mut path = above.to_vec();
    while let Some((token, _)) = tokens.get(at) {
        match *token {
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|next| next.0 != "}") {
                    at = use_tree(tokens, at, &path, leaf);
                    if tokens.get(at).is_some_and(|next| next.0 == ",") {
                        at += 1;
                    }
                }
                return at + 1;
            }
            "::" => at += 1,
            "as" => {
                let name = tokens.get(at + 1).map_or("_", |next| next.0);
                leaf(path, name.to_owned());
                return at + 2;
            }
            "*" => {
                leaf(path, "*".to_owned());
                return at + 1;
            }
            "self" if !path.is_empty() => at += 1,
            name if is_name(name) => {
                path.push(name.to_owned());
                at += 1;
            }
            _ => break,
        }
    }
    let name = path.last().cloned().unwrap_or_default();
    leaf(path, name);
    // Whatever stands here ends the tree; a sign that fits nowhere is skipped by the caller.
    at
}

fn is_name(token: &str) -> bool {
    token.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
}

/// A path from the crate's root; `None` for one that leads out of the crate.
fn from_root(written: &[String], module: &[String]) -> Option<ModulePath> {
    let (first, mut rest) = written.split_first()?;
    let mut base = match first.as_str() {
        "crate" => Vec::new(),
        "self" => module.to_vec(),
        "super" => module[..module.len().saturating_sub(1)].to_vec(),
        _ => return None,
    };
    while let Some((next, after)) = rest.split_first().filter(|(next, _)| *next == "super") {
        debug_assert_eq!(next, "super");
        base.pop();
        rest = after;
    }
    Some([base, rest.to_vec()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIB: &str = "crates/x/src/lib.rs";

    #[track_caller]
    fn expect(files: &[(&str, &str)], imports: &[&str]) {
        let tree = Tree::sample(files);
        let found = Modules::below(&tree, "crates/x/src").imports();
        let found: BTreeSet<String> =
            found.iter().map(|import| format!("{}->{}", import.from.join("::"), import.to.join("::"))).collect();
        assert_eq!(found, imports.iter().map(|&import| import.to_owned()).collect());
    }

    #[test]
    fn every_form_of_path_is_an_import() {
        for text in [
            "use crate::b::B;",
            "use crate::b;",
            "use crate::{b::{self, B}};",
            "use crate::b::{B as C, D};",
            "use super::b::B;",
            "fn f() -> crate::b::B {}",
            "pub use crate::b::*;",
        ] {
            expect(&[(LIB, ""), ("crates/x/src/a.rs", text), ("crates/x/src/b.rs", "")], &["a->b"]);
        }
    }

    #[test]
    fn a_re_export_leads_to_what_it_names() {
        expect(&[(LIB, "pub use b::B; pub use self::b::c::D;"), ("crates/x/src/a.rs", "use crate::D;")], &["a->"]);
        expect(
            &[
                (LIB, "pub use self::b::c::D;"),
                ("crates/x/src/a.rs", "use crate::D;"),
                ("crates/x/src/b/mod.rs", ""),
                ("crates/x/src/b/c.rs", ""),
            ],
            &["->b::c", "a->b::c"],
        );
    }

    #[test]
    fn exported_macros_are_no_imports() {
        let text = "macro_rules! m { () => { $crate::b::B }; }\nfn f() { crate::b!() }\n";
        expect(&[(LIB, ""), ("crates/x/src/a.rs", text), ("crates/x/src/b.rs", "")], &[]);
        let of_its_own = ("crates/x/src/a/mod.rs", "#[cfg(test)]\nmod tests;");
        let tests = ("crates/x/src/a/tests.rs", "use crate::b;");
        expect(&[(LIB, ""), of_its_own, tests, ("crates/x/src/b.rs", "")], &[]);
    }

    #[test]
    fn tests_comments_and_other_crates_are_no_imports() {
        let text = "use std::fmt; // use crate::b;\n#[cfg(test)]\nmod tests { use crate::b; fn f() { {} } }\n";
        expect(&[(LIB, ""), ("crates/x/src/a.rs", text), ("crates/x/src/b.rs", "")], &[]);
    }
}
