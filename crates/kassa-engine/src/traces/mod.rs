//! Traces: which request took how long, and where, told to a collector by OTLP (<https://opentelemetry.io/docs/specs/otlp/>).
//!
//! A program has one place that its traces go to, or none; then whoever would begin a span is told so by one look. Few
//! requests are traced: a share of all, and those whose clients ask for it by `traceparent`
//! (<https://www.w3.org/TR/trace-context/>), of which only so many are taken in a second. Nothing waits for a collector: what
//! it does not take in time is dropped, and counted. Spans hold neither bodies nor queries, and nothing about persons.

mod context;
mod export;
mod outgoing;
mod sampling;
mod span;

pub use context::TRACEPARENT;
pub use export::{TraceExport, TraceSettings, TraceSetupError, write_metrics};
pub(crate) use outgoing::{OutgoingSpan, trace_request};
pub(crate) use span::CommandTrace;
pub use span::TraceSpan;

use std::sync::OnceLock;

use opentelemetry_sdk::trace::SdkTracer;

use sampling::Sampling;

/// What the program traces by.
struct Traces {
    tracer: SdkTracer,
    sampling: Sampling,
}

static TRACES: OnceLock<Traces> = OnceLock::new();

/// Whether anything is traced.
pub fn is_on() -> bool {
    TRACES.get().is_some()
}
