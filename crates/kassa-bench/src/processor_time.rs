//! Processor time, as `/proc` counts it.

use std::fs;

use crate::error::BenchError;

/// Ticks of a second as `/proc` counts them.
const TICKS_PER_SECOND: f64 = 100.0;

/// Processor time that everything on the machine has used so far but this program, in seconds.
pub(crate) fn busy_seconds_of_others() -> Result<f64, BenchError> {
    let unknown = "the processor time of the machine is not known";
    let stat = fs::read_to_string("/proc/stat")?;
    let fields = stat.lines().next().ok_or(unknown)?.split_whitespace().skip(1);
    let ticks: Vec<f64> = fields.map(str::parse).collect::<Result<_, _>>()?;
    // user nice system idle iowait irq softirq, and others that are parts of these, or were not given.
    let [user, nice, system, _, _, irq, softirq, ..] = ticks.as_slice() else { return Err(unknown.into()) };
    let busy = (user + nice + system + irq + softirq) / TICKS_PER_SECOND;
    Ok(busy - processor_seconds_in(&fs::read_to_string("/proc/self/stat")?)?)
}

/// Processor time that a process has used so far, in seconds, by what `/proc` says of it.
pub(crate) fn processor_seconds_in(stat: &str) -> Result<f64, BenchError> {
    // The name of the program, in brackets, may have blanks.
    let (_, fields) = stat.rsplit_once(')').ok_or("the processor time of a process is not known")?;
    let ticks = |at: usize| -> Result<f64, BenchError> {
        Ok(fields.split_whitespace().nth(at).ok_or("the processor time of a process is not known")?.parse()?)
    };
    // User and system time: fields 14 and 15 of the line, and the first two were cut off.
    Ok((ticks(11)? + ticks(12)?) / TICKS_PER_SECOND)
}
