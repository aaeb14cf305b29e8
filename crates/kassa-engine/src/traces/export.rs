//! How spans get to a collector.

use std::collections::HashMap;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{ExporterBuildError, Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider, Span, SpanData, SpanExporter as _, SpanProcessor};
use reqwest::redirect;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::sampling::Sampling;
use super::{TRACES, Traces};
use crate::metrics::{Counter, MetricsText};

/// Spans that may wait to be sent.
const QUEUE_MAX: usize = 4_096;
/// Spans that are sent at once.
const BATCH_MAX: usize = 512;
/// How long spans wait for others that are sent with them.
const INTERVAL: Duration = Duration::from_millis(200);
/// How long a collector may take.
const EXPORT_TIME_MAX: Duration = Duration::from_secs(5);

/// Spans that a collector has taken, and those that none has.
static SENT: Counter = Counter::new();
static DROPPED: Counter = Counter::new();

/// Where traces go, and which.
#[derive(Clone, Debug)]
pub struct TraceSettings {
    /// A collector that takes OTLP over HTTP: what is below `/v1/traces` of it.
    pub collector: String,
    /// The share of requests that are traced, from 0 to 1.
    pub share: f64,
    /// Headers for the collector, such as a credential.
    pub headers: HashMap<String, String>,
}

/// Why nothing can be traced.
#[derive(Debug, thiserror::Error)]
pub enum TraceSetupError {
    /// The collector cannot be asked.
    #[error("traces cannot be sent: {0}")]
    Client(#[from] reqwest::Error),
    /// Its URL is none.
    #[error("traces cannot be sent: {0}")]
    Exporter(#[from] ExporterBuildError),
    /// Traces of a program go to one place.
    #[error("traces are sent elsewhere already")]
    Twice,
}

/// Sends the traces of the program.
#[derive(Debug)]
pub struct TraceExport {
    stop: oneshot::Sender<()>,
    sending: JoinHandle<()>,
}

impl TraceExport {
    /// Traces from now on.
    pub fn start(settings: TraceSettings) -> Result<Self, TraceSetupError> {
        let TraceSettings { collector, share, headers } = settings;
        let client = reqwest::Client::builder()
            .timeout(EXPORT_TIME_MAX)
            .redirect(redirect::Policy::none())
            .no_proxy()
            .build()?;
        let resource = Resource::builder_empty().with_service_name("kassa");
        let resource = resource.with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION"))).build();
        let mut exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(client)
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(format!("{}/v1/traces", collector.trim_end_matches('/')))
            .with_headers(headers)
            .with_timeout(EXPORT_TIME_MAX)
            .build()?;
        exporter.set_resource(&resource);
        let (queue, spans) = mpsc::channel(QUEUE_MAX);
        let provider = SdkTracerProvider::builder().with_sampler(Sampler::AlwaysOn).with_resource(resource);
        let provider = provider.with_span_processor(Queue(queue)).build();
        let traces = Traces { tracer: provider.tracer("kassa"), sampling: Sampling::new(share) };
        TRACES.set(traces).map_err(|_| TraceSetupError::Twice)?;
        let (stop, stopped) = oneshot::channel();
        Ok(Self { stop, sending: tokio::spawn(send(exporter, spans, stopped)) })
    }

    /// Sends what there is, as far as the collector takes it in time.
    pub async fn finish(self) {
        // One that has ended needs no stop.
        let _ = self.stop.send(());
        if let Err(error) = self.sending.await {
            tracing::error!(%error, "the last traces were not sent");
        }
    }
}

/// Takes spans that have ended, and never waits.
#[derive(Debug)]
struct Queue(mpsc::Sender<SpanData>);

impl SpanProcessor for Queue {
    fn on_start(&self, _: &mut Span, _: &opentelemetry::Context) {}

    fn on_end(&self, span: SpanData) {
        if self.0.try_send(span).is_err() {
            DROPPED.add(1);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

async fn send(exporter: SpanExporter, mut spans: mpsc::Receiver<SpanData>, mut stopped: oneshot::Receiver<()>) {
    let (mut is_failing, mut is_last) = (false, false);
    while !is_last {
        tokio::select! {
            _ = &mut stopped => is_last = true,
            () = tokio::time::sleep(INTERVAL) => {}
        }
        loop {
            let batch: Vec<SpanData> = std::iter::from_fn(|| spans.try_recv().ok()).take(BATCH_MAX).collect();
            if batch.is_empty() {
                break;
            }
            let count = u64::try_from(batch.len()).unwrap_or(u64::MAX);
            let sent = exporter.export(batch).await;
            match &sent {
                Ok(()) if is_failing => tracing::info!("traces can be sent again"),
                Ok(()) => {}
                Err(error) if is_failing => tracing::debug!(%error, "traces are still not sent"),
                Err(error) => tracing::warn!(%error, "traces cannot be sent; they are dropped until they can"),
            }
            is_failing = sent.is_err();
            if is_failing { &DROPPED } else { &SENT }.add(count);
            // The rest would take as long: the server may not wait for it.
            if is_failing && is_last {
                return;
            }
        }
    }
}

/// What is counted of traces.
pub fn write_metrics(text: &mut MetricsText) {
    let name = "kassa_trace_spans_total";
    text.counter(name, "Spans of traces: sent to the collector, or dropped since it did not take them in time.");
    text.sample(name, &[("result", "sent")], SENT.get());
    text.sample(name, &[("result", "dropped")], DROPPED.get());
}
