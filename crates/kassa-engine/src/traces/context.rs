//! `traceparent`: how a trace goes from one program to the next.

use opentelemetry::trace::{SpanContext, SpanId, TraceFlags, TraceId, TraceState};

/// The header that names a span.
pub const TRACEPARENT: &str = "traceparent";

/// The length of version 00.
const LENGTH: usize = 55;

tokio::task_local! {
    /// The span that the work is in.
    static CURRENT: SpanContext;
}

/// The span that the work of this task is in, if it is traced.
pub(super) fn current() -> Option<SpanContext> {
    CURRENT.try_with(Clone::clone).ok()
}

/// Does something in a span.
pub(super) async fn within<T>(span: SpanContext, work: impl Future<Output = T>) -> T {
    CURRENT.scope(span, work).await
}

/// What a header says, if it is well formed, and whoever sent it traces. A later version may say more behind it.
pub(super) fn parse(header: &str) -> Option<SpanContext> {
    let (known, rest) = header.split_at_checked(LENGTH)?;
    let mut parts = known.split('-');
    let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_hex = |text: &str, length: usize| {
        text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let is_well_formed = is_hex(version, 2) && is_hex(trace, 32) && is_hex(span, 16) && is_hex(flags, 2);
    let is_known = rest.is_empty() || (version != "00" && rest.starts_with('-'));
    if !is_well_formed || !is_known || version == "ff" || parts.next().is_some() {
        return None;
    }
    let flags = TraceFlags::new(u8::from_str_radix(flags, 16).ok()?);
    let (trace, span) = (TraceId::from_hex(trace).ok()?, SpanId::from_hex(span).ok()?);
    let context = SpanContext::new(trace, span, flags & TraceFlags::SAMPLED, true, TraceState::default());
    (context.is_valid() && context.is_sampled()).then_some(context)
}

/// As a header.
pub(super) fn format(span: &SpanContext) -> String {
    format!("00-{}-{}-{:02x}", span.trace_id(), span.span_id(), span.trace_flags())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    #[test]
    fn a_well_formed_header_is_read_and_written_again() {
        let header = format!("00-{TRACE}-00f067aa0ba902b7-01");
        let context = parse(&header).unwrap();
        assert_eq!((context.trace_id().to_string(), context.is_remote()), (TRACE.to_owned(), true));
        assert_eq!(super::format(&context), header);
        // Of a later version, and with flags that nobody knows yet.
        for later in [format!("cc-{TRACE}-00f067aa0ba902b7-01-what-else"), format!("00-{TRACE}-00f067aa0ba902b7-ff")] {
            assert_eq!(parse(&later), Some(context.clone()), "{later}");
        }
    }

    #[test]
    fn what_is_malformed_or_not_traced_is_as_if_it_were_not_there() {
        let span = "00f067aa0ba902b7";
        for header in [
            String::new(),
            "00".to_owned(),
            format!("00-{TRACE}-{span}-00"),
            format!("00-{TRACE}-{span}"),
            format!("00-{TRACE}-{span}-01-more"),
            format!("00-{TRACE}-{span}-011"),
            format!("ff-{TRACE}-{span}-01"),
            format!("cc-{TRACE}-{span}-01.more"),
            format!("00-{}-{span}-01", TRACE.to_uppercase()),
            format!("00-{}-{span}-01", "0".repeat(32)),
            format!("00-{TRACE}-{}-01", "0".repeat(16)),
            format!("0-0{TRACE}-{span}-01"),
            format!("00-{TRACE}-{span}_01"),
            format!(" 00-{TRACE}-{span}-01"),
            "ä".repeat(40),
        ] {
            assert_eq!(parse(&header), None, "{header}");
        }
    }
}
