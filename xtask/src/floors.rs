//! Floors: in each crate modules import downwards only, and no modules of one folder import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::Finding;
use crate::imports::{Import, Modules};
use crate::tree::Tree;

/// A crate's sources, and its outermost modules from the top floor to the ground.
struct CrateFloors {
    folder: &'static str,
    floors: &'static [&'static [&'static str]],
}

const CRATES: &[CrateFloors] = &[
    CrateFloors {
        folder: "crates/kassa-domain/src",
        floors: &[
            &["audit"],
            &["commands"],
            &["permission"],
            &["context"],
            &["view"],
            &["refusal"],
            &["model"],
            &["values"],
            &["geo", "safeguard"],
        ],
    },
    CrateFloors {
        folder: "crates/kassa-documents/src",
        floors: &[&["calendar", "tickets"], &["pdf", "times"], &["shaping"], &["clean_text", "fonts", "qr"]],
    },
    CrateFloors {
        folder: "crates/kassa-store/src",
        floors: &[
            &["fault_injection", "installation_copy"],
            &["sqlite", "postgres", "memory"],
            &["row_scan"],
            &["aggregates"],
            &["tables"],
            &["lists"],
            &["selectors"],
            &["rows"],
            &["driver_bounds"],
            &["memory_tables"],
            &["cell"],
            &["memory_budget"],
            &["error", "health", "schema_migrations", "system_authorities"],
        ],
    },
    CrateFloors {
        folder: "crates/kassa/src",
        floors: &[
            &[
                "admin",
                "backup",
                "changes",
                "config_command",
                "copy",
                "demo",
                "doctor",
                "export",
                "health",
                "manual",
                "migrate",
                "verify",
            ],
            &["serve"],
            &["bound_server"],
            &["reload"],
            &["program_arguments", "server_arguments"],
            &[
                "limits",
                "log_shipping",
                "mail",
                "open_files",
                "service_manager",
                "settings_in_force",
                "shop",
                "stripe",
                "telemetry",
                "tls",
                "traces",
                "usage",
                "webhooks",
            ],
            &["backups", "config_file", "quotas"],
            &["installation"],
            &["config"],
            &["files"],
            &["secrets"],
            &["error", "http_url"],
        ],
    },
    CrateFloors {
        folder: "crates/kassa-bench/src",
        floors: &[
            &["builds"],
            &["compare", "echo", "machine", "workloads"],
            &["audit", "context", "database", "feed_reader"],
            &["arguments", "cluster", "delay_proxy", "perf", "report", "scratch", "scripts"],
            &["load", "sellers", "server"],
            &["api_client", "event_stream"],
            &["connection", "open_files", "processor_time", "request", "stopwatch"],
            &["error"],
        ],
    },
    CrateFloors {
        folder: "crates/kassa-engine/src",
        floors: &[
            &["housekeeping"],
            &["accounts", "export", "history", "payments", "platform", "refunds", "sets", "webhooks"],
            &[
                "attachments",
                "auth",
                "availability",
                "backup_claims",
                "confirmation",
                "mail",
                "order_index",
                "order_links",
                "orders",
                "password_reset",
                "second_factor",
                "sessions",
                "shop_tokens",
            ],
            &["mailed_token", "order_documents", "partner_feed"],
            &["engine"],
            &["credential_cache", "files", "lanes"],
            &["lane", "password"],
            &["task"],
            &["caller"],
            &["idempotency"],
            &["feed", "kept_answers", "list_turns", "mark_board", "recent_orders"],
            &["failure", "start_error"],
            &["outgoing", "stripe"],
            &["traces"],
            &["metrics", "pause", "short_events"],
            &[
                "clock",
                "event_bytes",
                "fair_permits",
                "key_or_row",
                "random",
                "rate_limiter",
                "secret",
                "tenant",
                "thread_priority",
                "verify",
            ],
        ],
    },
    CrateFloors {
        folder: "crates/kassa-texts/src",
        floors: &[&["returns"], &["catalogue"], &["amount", "dates"], &["language"]],
    },
    CrateFloors {
        folder: "crates/kassa-web/src",
        floors: &[
            &["site"],
            &["console", "routes"],
            &["pages"],
            &["calendar", "ics", "json_ld"],
            &["embedding", "frame"],
            &["shop"],
            &["page_cache"],
            &["answer"],
            &["views"],
            &["api", "hall"],
            &["error", "request"],
            &["accent", "framing", "widget_scripts"],
            &["assets", "form", "model", "operator_texts", "qr", "seat_data", "seat_selection"],
            &["key_waits", "slug"],
        ],
    },
    CrateFloors {
        folder: "crates/kassa-http/src",
        floors: &[
            &["server", "in_process", "ops", "echo", "static_pages"],
            &["middleware"],
            &["pages"],
            &["api_docs"],
            &["v1", "v2"],
            &["fields_schema", "files"],
            &["related"],
            &["wire"],
            &["caller", "session_cookie", "base_url", "password_attempts", "order_rates", "text_rates", "input"],
            &["app"],
            &[
                "answer_cache",
                "rate_limits",
                "request_log",
                "request_metrics",
                "body_memory",
                "body_parsers",
                "document_turns",
                "downloads",
                "drawing_cache",
                "feed_readers",
                "short_reads",
                "availability_streams",
            ],
            &["long_answers"],
            &["error"],
            &["response"],
            &["openapi", "peer", "route"],
        ],
    },
];

/// Crates whose root only re-exports what their floors define. That is for other crates: inside, it would hide from which
/// floor something comes.
const FACADES: &[&str] = &["crates/kassa-domain/src", "crates/kassa-engine/src"];

/// Finds imports that go up, circles, and modules without a floor.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    CRATES.iter().flat_map(|rule| findings_in(tree, rule)).collect()
}

fn findings_in(tree: &Tree, rule: &CrateFloors) -> Vec<Finding> {
    let modules = Modules::below(tree, rule.folder);
    let floor_of = |name: &str| rule.floors.iter().rev().position(|floor| floor.contains(&name));
    let root = format!("{}/lib.rs", rule.folder);
    let unplaced = modules.outermost().into_iter().filter(|name| floor_of(name).is_none());
    let mut findings: Vec<Finding> = unplaced
        .map(|name| Finding::new(&root, 1, format!("module {name} has no floor: give it one in xtask")))
        .collect();
    let imports = modules.imports();
    for import in &imports {
        let (Some(from), Some(to)) = (import.from.first(), import.to.first()) else { continue };
        if from != to && floor_of(from) < floor_of(to) {
            let text = format!("{from} must not import {to}, which is on a floor above it");
            findings.push(Finding::new(&import.file, import.line, text));
        }
    }
    if FACADES.contains(&rule.folder) {
        findings.extend(facade_imports(&imports));
    }
    findings.extend(circles(&imports));
    findings
}

/// Imports of the crate's root from inside.
fn facade_imports(imports: &[Import]) -> impl Iterator<Item = Finding> {
    let from_inside = imports.iter().filter(|import| import.to.is_empty() && !import.from.is_empty());
    from_inside.map(|import| {
        let text = "import this from the module that defines it, not from the crate's root".to_owned();
        Finding::new(&import.file, import.line, text)
    })
}

/// Circles among the modules of one folder. What a module and those inside it import of each other is theirs.
fn circles(imports: &[Import]) -> Vec<Finding> {
    // By folder: which of its modules imports which, and where.
    let mut folders: BTreeMap<&[String], BTreeMap<(&str, &str), &Import>> = BTreeMap::new();
    for import in imports {
        let shared = import.from.iter().zip(&import.to).take_while(|(from, to)| from == to).count();
        if let (Some(from), Some(to)) = (import.from.get(shared), import.to.get(shared)) {
            folders.entry(&import.from[..shared]).or_default().entry((from, to)).or_insert(import);
        }
    }
    let mut findings = Vec::new();
    for arrows in folders.values() {
        for ((from, to), import) in arrows {
            if reaches(arrows, to, from) {
                let text = format!("{from} imports {to}, and {to} leads back to {from}");
                findings.push(Finding::new(&import.file, import.line, text));
            }
        }
    }
    findings
}

/// Whether imports lead from one module of a folder to another.
fn reaches(arrows: &BTreeMap<(&str, &str), &Import>, from: &str, to: &str) -> bool {
    let (mut seen, mut open) = (BTreeSet::from([from]), vec![from]);
    while let Some(here) = open.pop() {
        if here == to {
            return true;
        }
        open.extend(
            arrows.keys().filter(|(start, _)| *start == here).map(|(_, end)| *end).filter(|end| seen.insert(end)),
        );
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: CrateFloors =
        CrateFloors { folder: "crates/x/src", floors: &[&["api"], &["model", "view"], &["values"]] };

    #[track_caller]
    fn expect(files: &[(&str, &str)], findings: &[&str]) {
        let found: Vec<String> = findings_in(&Tree::sample(files), &RULE).iter().map(ToString::to_string).collect();
        assert_eq!(found, findings);
    }

    #[test]
    fn imports_go_down() {
        let down = [("crates/x/src/api/mod.rs", "use crate::values::A;"), ("crates/x/src/values.rs", "")];
        expect(&down, &[]);
        let up = [("crates/x/src/values.rs", "\nuse crate::api::A;"), ("crates/x/src/api/mod.rs", "")];
        expect(&up, &["crates/x/src/values.rs:2: values must not import api, which is on a floor above it"]);
    }

    #[test]
    fn modules_of_one_folder_make_no_circle() {
        let (a, b, c) = ("crates/x/src/api/a.rs", "crates/x/src/api/b.rs", "crates/x/src/api/c.rs");
        expect(&[(a, "use super::b::B;"), (b, "use super::c::C;"), (c, "")], &[]);
        let circle = [(a, "use super::b::B;"), (b, "use super::c::C;"), (c, "use super::a::A;")];
        let circle_found = [
            "crates/x/src/api/a.rs:1: a imports b, and b leads back to a",
            "crates/x/src/api/b.rs:1: b imports c, and c leads back to b",
            "crates/x/src/api/c.rs:1: c imports a, and a leads back to c",
        ];
        expect(&circle, &circle_found);
    }

    #[test]
    fn the_root_of_a_crate_with_a_facade_is_for_others() {
        let files = [
            ("crates/x/src/lib.rs", "pub mod order { pub use crate::model::*; }"),
            ("crates/x/src/values.rs", "use crate::order::Order;"),
            ("crates/x/src/model.rs", "use crate::values::Money;"),
        ];
        let imports = Modules::below(&Tree::sample(&files), "crates/x/src").imports();
        let found: Vec<String> = facade_imports(&imports).map(|finding| finding.to_string()).collect();
        let text = "import this from the module that defines it, not from the crate's root";
        assert_eq!(found, [format!("crates/x/src/values.rs:1: {text}")]);
    }

    #[test]
    fn every_outermost_module_has_a_floor() {
        let finding = "crates/x/src/lib.rs:1: module other has no floor: give it one in xtask";
        expect(&[("crates/x/src/other.rs", "")], &[finding]);
    }
}
