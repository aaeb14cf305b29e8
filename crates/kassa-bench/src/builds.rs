//! One build that is measured, or two in turns, and what a run is held against.

use std::path::Path;
use std::{env, fs};

use crate::arguments::{BenchArguments, TICKETS_PER_SALE, TICKETS_PER_SALE_QUICK, WORKLOADS};
use crate::compare;
use crate::context::{BenchContext, TargetServer, socket_address};
use crate::error::BenchError;
use crate::machine;
use crate::report::{self, BuildComparison, ReportRow};
use crate::scratch::ScratchFolder;
use crate::server::ServerProcess;
use crate::workloads;

/// What `kassa bench` was told to.
pub(crate) async fn measure(arguments: BenchArguments) -> Result<(), BenchError> {
    if let Some(unknown) = arguments.rows.iter().find(|row| !WORKLOADS.contains(&row.as_str())) {
        return Err(format!("--rows {unknown}: the workloads are {}", WORKLOADS.join(", ")).into());
    }
    if arguments.fall_at_most.is_some() && arguments.compare_with.is_none() && arguments.in_turns_with.is_none() {
        return Err("--fall-at-most needs --compare-with or --in-turns-with".into());
    }
    let scratch = ScratchFolder::new()?;
    // Before anything takes long.
    let earlier = arguments.compare_with.as_deref().map(report::read_report).transpose()?;
    let (before, rows) = match &arguments.in_turns_with {
        Some(other) => {
            let (before, rows) = measure_in_turns(&arguments, other, &scratch.0).await?;
            (Some(before), rows)
        }
        None => (earlier, measure_build(&arguments, &env::current_exe()?, arguments.round_count(), &scratch.0).await?),
    };
    print!("{}", report::text_table(&rows));
    if let Some(file) = &arguments.json {
        fs::write(file, format!("{:#}\n", report::json_report(&rows, &machine::describe())))?;
    }
    match before {
        Some(before) => hold_against(&arguments, &before, &rows, &scratch.0).await,
        None => Ok(()),
    }
}

/// Says what got better and worse, and fails for what has fallen too far.
async fn hold_against(
    arguments: &BenchArguments,
    before: &[ReportRow],
    rows: &[ReportRow],
    scratch: &Path,
) -> Result<(), BenchError> {
    let compared = BuildComparison::new(before, rows);
    if compared.is_empty() {
        return Err("nothing was measured that the other figures have, too".into());
    }
    print!("\n{}", compared.text_table());
    let fallen = arguments.fall_at_most.map_or_else(Vec::new, |share| compared.fallen(share));
    let Some(share) = arguments.fall_at_most.filter(|_| !fallen.is_empty()) else { return Ok(()) };
    // A machine that was busy with something else for a moment is no build that got slower.
    eprintln!("kassa bench: {}; measured once more", list(&fallen));
    let letters = fallen.into_iter().map(|(letter, _)| letter).collect();
    let again = BenchArguments { rows: letters, ..arguments.clone() };
    let folder = scratch.join("again");
    let (before, rows) = match &again.in_turns_with {
        Some(other) => measure_in_turns(&again, other, &folder).await?,
        None => (before.to_vec(), measure_build(&again, &env::current_exe()?, again.round_count(), &folder).await?),
    };
    let compared = BuildComparison::new(&before, &rows);
    print!("\n{}", compared.text_table());
    match compared.fallen(share) {
        fallen if fallen.is_empty() => Ok(()),
        fallen => Err(list(&fallen).into()),
    }
}

fn list(fallen: &[(String, String)]) -> String {
    fallen.iter().map(|(_, sentence)| sentence.as_str()).collect::<Vec<_>>().join("; ")
}

/// This build and another one, in turns: the rows of the other, and ours. Who comes first changes with each round.
async fn measure_in_turns(
    arguments: &BenchArguments,
    other: &Path,
    scratch: &Path,
) -> Result<(Vec<ReportRow>, Vec<ReportRow>), BenchError> {
    let this = env::current_exe()?;
    let (mut theirs, mut ours) = (Vec::new(), Vec::new());
    for round in 1..=arguments.round_count() {
        let mut turns = [(other, &mut theirs), (this.as_path(), &mut ours)];
        if round % 2 == 0 {
            turns.reverse();
        }
        for (turn, (program, rows)) in turns.into_iter().enumerate() {
            eprintln!("kassa bench: round {round} of {}: {}", arguments.round_count(), program.display());
            let folder = scratch.join(format!("{round}-{turn}"));
            report::add_rounds(rows, measure_build(arguments, program, 1, &folder).await?);
        }
    }
    Ok((theirs, ours))
}

/// Everything that was asked for, by a server of this program or at the given address.
async fn measure_build(
    arguments: &BenchArguments,
    program: &Path,
    rounds: u32,
    scratch: &Path,
) -> Result<Vec<ReportRow>, BenchError> {
    fs::create_dir_all(scratch)?;
    let own = || ServerProcess::start_kassa(program, &scratch.join("server"));
    let bench = BenchContext {
        program: program.to_owned(),
        target: match &arguments.url {
            Some(url) if arguments.adapter.is_none() => TargetServer::Remote(socket_address(url)?),
            _ => TargetServer::Spawned(own()?),
        },
        echo: ServerProcess::start_echo()?,
        rounds,
        duration: arguments.duration(),
        connections: arguments.connections.into(),
        tickets_per_sale: if arguments.quick { TICKETS_PER_SALE_QUICK } else { TICKETS_PER_SALE },
        is_quick: arguments.quick,
        perf_file: arguments.perf.clone(),
    };
    let rows = match (bench.spawned_server(), &arguments.adapter, &arguments.url) {
        (Some(ours), Some(adapter), Some(url)) => {
            let with = compare::Comparison { adapter, url, tickets: arguments.tickets };
            compare::measure(&bench, ours, &with).await?
        }
        _ => workloads::measure(&bench, arguments, scratch).await?,
    };
    if let TargetServer::Spawned(server) = bench.target {
        server.stop()?;
    }
    Ok(rows)
}
