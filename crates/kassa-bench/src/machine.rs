//! The machine that figures were taken on.

use std::{fs, thread};

use serde_json::{Value, json};

/// Its processor, memory and kernel, as far as they are known.
pub(crate) fn describe() -> Value {
    let read = |path: &str| fs::read_to_string(path).ok();
    let processor = read("/proc/cpuinfo").and_then(|text| field(&text, "model name"));
    let memory = read("/proc/meminfo").and_then(|text| field(&text, "MemTotal"));
    let kernel = read("/proc/sys/kernel/osrelease").map(|text| text.trim().to_owned());
    json!({
        "program": env!("CARGO_PKG_VERSION"),
        "processor": processor,
        "cores": thread::available_parallelism().ok().map(usize::from),
        "memory": memory,
        "kernel": kernel,
    })
}

fn field(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
