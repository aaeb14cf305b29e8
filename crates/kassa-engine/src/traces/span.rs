//! Spans, as they are recorded.

use std::borrow::Cow;
use std::time::{SystemTime, UNIX_EPOCH};

use opentelemetry::trace::{Span as _, SpanContext, SpanKind, Status, TraceContextExt as _, Tracer as _};
use opentelemetry::{Context, KeyValue, Value, time};
use opentelemetry_sdk::trace::Span;

use super::{TRACES, Traces, context};

/// A piece of work that is recorded. It ends when it is dropped.
#[derive(Debug)]
pub struct TraceSpan(Span);

impl TraceSpan {
    /// The work for a request: within what is traced already, or as a client asks by its `traceparent`, or as one of the
    /// share of all that is traced. `None` if it is not traced.
    pub fn of_request(traceparent: Option<&str>, name: impl FnOnce() -> String) -> Option<Self> {
        let traces = TRACES.get()?;
        if let Some(parent) = context::current() {
            return Some(traces.begin(Some(parent), SpanKind::Internal, name()));
        }
        let asked = traceparent.and_then(context::parse).filter(|_| traces.sampling.takes_asked(this_second()));
        if asked.is_none() && !traces.sampling.takes_next() {
            return None;
        }
        Some(traces.begin(asked, SpanKind::Server, name()))
    }

    /// A request to another program: within what is traced already, or one of the share.
    pub(crate) fn of_outgoing_request(method: &'static str) -> Option<Self> {
        let traces = TRACES.get()?;
        let parent = context::current();
        let is_traced = parent.is_some() || traces.sampling.takes_next();
        is_traced.then(|| {
            let mut span = traces.begin(parent, SpanKind::Client, method);
            span.set("http.request.method", method);
            span
        })
    }

    /// Notes something by its name in the semantic conventions.
    pub fn set(&mut self, key: &'static str, value: impl Into<Value>) {
        self.0.set_attribute(KeyValue::new(key, value));
    }

    /// It has failed.
    pub fn fail(&mut self) {
        self.0.set_status(Status::error(""));
    }

    /// Does something in it: what is traced there becomes a part of it.
    pub async fn scope<T>(&self, work: impl Future<Output = T>) -> T {
        context::within(self.0.span_context().clone(), work).await
    }

    /// Which trace it is of, in hexadecimal digits.
    pub fn trace_id(&self) -> String {
        self.0.span_context().trace_id().to_string()
    }

    /// What says to others that their work is a part of it.
    pub fn traceparent(&self) -> String {
        context::format(self.0.span_context())
    }
}

impl Traces {
    fn begin(&self, parent: Option<SpanContext>, kind: SpanKind, name: impl Into<Cow<'static, str>>) -> TraceSpan {
        let builder = self.tracer.span_builder(name).with_kind(kind);
        TraceSpan(self.tracer.build_with_context(builder, &below(parent)))
    }

    fn record(&self, parent: SpanContext, name: &'static str, from: SystemTime, to: SystemTime) {
        let builder = self.tracer.span_builder(name).with_start_time(from);
        self.tracer.build_with_context(builder, &below(Some(parent))).end_with_timestamp(to);
    }
}

fn below(parent: Option<SpanContext>) -> Context {
    parent.map_or_else(Context::new, |parent| Context::new().with_remote_span_context(parent))
}

fn this_second() -> u64 {
    time::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_secs())
}

/// The way of a command through its lane, if that is traced.
#[derive(Debug)]
pub(crate) struct CommandTrace {
    parent: SpanContext,
    queued_at: SystemTime,
    decided: Option<(SystemTime, SystemTime)>,
}

impl CommandTrace {
    /// It begins to wait.
    pub(crate) fn begin() -> Option<Box<Self>> {
        TRACES.get()?;
        let parent = context::current()?;
        Some(Box::new(Self { parent, queued_at: time::now(), decided: None }))
    }

    /// It is decided. It may be again.
    pub(crate) fn decide<T>(trace: &mut Option<Box<Self>>, decide: impl FnOnce() -> T) -> T {
        let Some(trace) = trace else { return decide() };
        let began = time::now();
        let decided = decide();
        trace.decided = Some((began, time::now()));
        decided
    }

    /// It is durable, or has failed.
    pub(crate) fn end(self) {
        let (Some(traces), Some((began, ended))) = (TRACES.get(), self.decided) else { return };
        traces.record(self.parent.clone(), "wait for the lane", self.queued_at, began);
        traces.record(self.parent.clone(), "decide", began, ended);
        traces.record(self.parent, "write and commit", ended, time::now());
    }
}
