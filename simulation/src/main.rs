//! `kassa-simulation`: plays seeds, and makes one that fails short. `cargo run --release -p xtask -- simulate` runs it.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use clap::{Parser, Subcommand};
use kassa_simulation::capacity::command::CapacityCommand;
use kassa_simulation::{DatabaseDriver, FailedRun, RunSummary, Tally, run_seed, run_steps, shrink};

/// One seed of so many plays on SQLite: there each commit is a write to a file.
const SQLITE_EVERY: u64 = 10;

/// Plays random histories against the engine and holds what it does against what it has said.
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    other: Option<OtherEntry>,
    /// How many seeds.
    #[arg(long, default_value_t = 10)]
    seeds: u64,
    /// Operations, of all seeds together.
    #[arg(long, default_value_t = 50_000)]
    ops: u64,
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Seeds at a time; as many as there are processors if not said.
    #[arg(long)]
    threads: Option<usize>,
    /// Plays that may be tried to make a failing seed short.
    #[arg(long, default_value_t = 300)]
    tries: u32,
}

/// What is simulated in place of histories.
#[derive(Subcommand)]
enum OtherEntry {
    /// How much an installation can sell: `docs/scale.md`.
    #[command(subcommand)]
    Capacity(CapacityCommand),
}

impl Arguments {
    fn ops_of_each(&self) -> u64 {
        self.ops.div_ceil(self.seeds.max(1))
    }
}

fn driver_of(seed: u64) -> DatabaseDriver {
    if seed % SQLITE_EVERY == SQLITE_EVERY - 1 { DatabaseDriver::Sqlite } else { DatabaseDriver::Memory }
}

#[expect(clippy::disallowed_methods, reason = "how long it takes is a matter of the real clock")]
fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(OtherEntry::Capacity(command)) = &arguments.other {
        command.run();
        return ExitCode::SUCCESS;
    }
    let begun = std::time::Instant::now();
    let threads = arguments.threads.or_else(|| Some(thread::available_parallelism().ok()?.get())).unwrap_or(1);
    let (next, sum) = (AtomicU64::new(arguments.from), Mutex::new((0_u64, Tally::new())));
    let failed: Mutex<BTreeMap<u64, FailedRun>> = Mutex::default();
    let end = arguments.from + arguments.seeds;
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= end {
                        return;
                    }
                    match run_seed(seed, arguments.ops_of_each(), driver_of(seed)) {
                        Ok(passed) => add_summary(&sum, passed),
                        Err(found) => {
                            // Nothing more is begun.
                            next.store(end, Ordering::Relaxed);
                            lock(&failed).insert(seed, found);
                        }
                    }
                }
            });
        }
    });
    let seconds = begun.elapsed().as_secs_f64();
    let (ops, tally) = sum.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    print_tally(&tally);
    println!("{ops} operations in {seconds:.0} s");
    let Some((seed, found)) = lock(&failed).pop_first() else { return ExitCode::SUCCESS };
    print_failure(&arguments, seed, found);
    ExitCode::FAILURE
}

fn add_summary(sum: &Mutex<(u64, Tally)>, passed: RunSummary) {
    let (ops, tally) = &mut *lock(sum);
    *ops += passed.ops;
    for (what, count) in passed.tally {
        *tally.entry(what).or_default() += count;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn print_tally(tally: &Tally) {
    let mut lines: BTreeMap<&str, Vec<(u64, &str)>> = BTreeMap::new();
    for ((kind, label), count) in tally {
        lines.entry(kind).or_default().push((*count, label));
    }
    for (kind, mut counts) in lines {
        counts.sort_unstable_by(|one, other| other.cmp(one));
        let labels: Vec<String> = counts.iter().map(|(count, label)| format!("{label} {count}")).collect();
        println!("{kind}: {}", labels.join(", "));
    }
}

fn print_failure(arguments: &Arguments, seed: u64, found: FailedRun) {
    let driver = driver_of(seed);
    println!("seed {seed} on {driver:?} fails after {} steps: {}", found.steps.len(), found.violation);
    println!("to see it again: simulate --from {seed} --seeds 1 --ops {}", arguments.ops_of_each());
    if run_steps(seed, &found.steps, driver).is_ok() {
        println!("the same steps pass when they are played again: it depends on timing, and cannot be made short");
        return;
    }
    println!("making it short …");
    let shortest = shrink(seed, found, driver, arguments.tries);
    println!("{} steps are left:", shortest.steps.len());
    for step in &shortest.steps {
        println!("  {step:?}");
    }
    println!("{}", shortest.violation);
}
