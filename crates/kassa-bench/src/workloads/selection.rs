//! The workloads that were asked for.

use std::path::Path;

use crate::arguments::BenchArguments;
use crate::context::BenchContext;
use crate::database::BenchDatabase;
use crate::error::BenchError;
use crate::report::{ReportGoal, ReportRow};

/// The rows that need a PostgreSQL.
const ON_POSTGRES: &[&str] = &["b", "k", "p", "q", "r"];

/// Everything that was asked for, work by work.
pub(crate) async fn measure(
    bench: &BenchContext,
    arguments: &BenchArguments,
    scratch: &Path,
) -> Result<Vec<ReportRow>, BenchError> {
    let mut all = Vec::new();
    if arguments.asks_for(&["a", "c", "g"]) {
        all.extend(super::orders::measure(bench).await?);
    }
    if arguments.asks_for(ON_POSTGRES) {
        all.extend(measure_on_postgres(bench, arguments, scratch).await?);
    }
    if arguments.asks_for(&["d"]) {
        all.extend(super::reads::measure(bench).await?);
    }
    if arguments.asks_for(&["e"]) {
        all.extend(super::purchases::measure(bench).await?);
    }
    all.extend(measure_big_databases(bench, arguments, scratch).await?);
    if arguments.asks_for(&["i"]) {
        all.extend(super::seats::measure(bench).await?);
    }
    if arguments.asks_for(&["l"]) {
        if bench.spawned_server().is_some() {
            all.extend(super::availability::measure(bench, scratch).await?);
        } else {
            eprintln!("kassa bench: l is left out: it needs a server of its own");
        }
    }
    if let Some(server) = bench.spawned_server().filter(|_| arguments.asks_for(&["g"])) {
        let mut memory = ReportRow::new("g", "memory of the server, at most", "MiB").goal(ReportGoal::AtMost(250.0));
        memory.add(server.memory_mib_max()?);
        all.push(memory);
    }
    if arguments.asks_for(&["m"]) {
        all.extend(super::pages::measure(bench).await?);
    }
    if arguments.asks_for(&["j"]) {
        all.extend(super::changes::measure_same_server(bench).await?);
    }
    // With `--quick` only where it is named: it takes as long as all others.
    if arguments.asks_for(&["o"]) && !(arguments.quick && arguments.asks_for_all()) {
        all.extend(super::crowds::measure(bench, scratch).await?);
    }
    all.sort_by(|one, other| one.workload.cmp(&other.workload));
    Ok(all)
}

/// Rows f, g, h and n, which fill databases first.
async fn measure_big_databases(
    bench: &BenchContext,
    arguments: &BenchArguments,
    scratch: &Path,
) -> Result<Vec<ReportRow>, BenchError> {
    let is_long = !arguments.quick && arguments.in_turns_with.is_none();
    let has_big = bench.spawned_server().is_some() && (is_long || arguments.prepare.is_some());
    if !has_big {
        if arguments.asks_for(&["f", "g", "h", "n"]) {
            eprintln!("kassa bench: no big database: it needs a server of its own, and takes long");
        }
        return Ok(Vec::new());
    }
    let mut all = Vec::new();
    if arguments.asks_for(&["f", "g", "h"]) {
        let data = arguments.prepare.clone().unwrap_or_else(|| scratch.join("big"));
        all.extend(super::big_database::measure(bench, &data, scratch).await?);
    }
    if arguments.asks_for(&["n"]) {
        let kept = arguments.prepare.as_ref().map(|folder| folder.with_extension("console"));
        all.extend(super::console::measure(bench, &kept.unwrap_or_else(|| scratch.join("console"))).await?);
    }
    Ok(all)
}

/// Rows b, k, p, q and r, where there is a PostgreSQL for them.
async fn measure_on_postgres(
    bench: &BenchContext,
    arguments: &BenchArguments,
    scratch: &Path,
) -> Result<Vec<ReportRow>, BenchError> {
    let leave_out = |why: &str| {
        for letter in ON_POSTGRES.iter().filter(|letter| arguments.asks_for(&[letter])) {
            eprintln!("kassa bench: {letter} is left out: {why}");
        }
        Ok(Vec::new())
    };
    if bench.spawned_server().is_none() {
        return leave_out("it needs a server of its own");
    }
    let database = match BenchDatabase::open(arguments.database.as_deref(), &scratch.join("postgres"))? {
        Ok(database) => database,
        Err(missing) => return leave_out(&missing),
    };
    let mut all = Vec::new();
    // This comes first: then there are no tables of others yet.
    if arguments.asks_for(&["k"]) {
        all.extend(super::changes::measure_other_server(bench, &database, scratch).await?);
    }
    if arguments.asks_for(&["p"]) {
        all.extend(super::postgres_reads::measure(bench, &database, scratch).await?);
    }
    if arguments.asks_for(&["q"]) {
        match &arguments.spread_database {
            Some(spread) => all.extend(super::spread::measure(bench, &database, spread, scratch).await?),
            None if arguments.asks_for_all() => {}
            None => eprintln!("kassa bench: q is left out: it needs --spread-database"),
        }
    }
    if arguments.asks_for(&["b"]) {
        all.extend(super::postgres::measure(bench, &database, scratch).await?);
    }
    // With `--quick` only where it is named: what it shows needs a while. What others have sold would slow it down.
    if arguments.asks_for(&["r"]) && !(arguments.quick && arguments.asks_for_all()) {
        drop(database);
        match BenchDatabase::open(arguments.database.as_deref(), &scratch.join("far-postgres"))? {
            Ok(database) => all.extend(super::delayed::measure(bench, &database, scratch).await?),
            Err(missing) => eprintln!("kassa bench: r is left out: {missing}"),
        }
    }
    Ok(all)
}
