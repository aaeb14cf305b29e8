//! Endpoints of webhooks. What is sent to them is in `tests/webhooks`.

use crate::access::{Row, row};

#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET /v2/resources/webhooks", "", 401, [200, 200], [200, 200], 400),
    row("POST /v2/resources/webhooks", r#"{"url": "https://example.org/hooks", "types": ["order.*"]}"#, 401, [200, 200], [200, 200], 400),
    row("GET /v2/resources/webhooks/{webhook}", "", 401, [404, 404], [200, 200], 200),
    row("PATCH /v2/resources/webhooks/{webhook}", r#"{"description": "X"}"#, 401, [404, 404], [200, 200], 200),
    row("GET /v2/resources/webhooks/{webhook}/secret", "", 401, [404, 404], [200, 200], 200),
    row("POST /v2/resources/webhooks/{webhook}/secret", "", 401, [404, 404], [200, 200], 200),
    row("POST /v2/resources/webhooks/{webhook}/test", "", 401, [404, 404], [200, 200], 200),
    row("GET /v2/resources/webhooks/{webhook}/attempts", "", 401, [404, 404], [200, 200], 200),
    row("POST /v2/resources/webhooks/{webhook}/replay", r#"{"after": "1-0"}"#, 401, [404, 404], [200, 200], 200),
    row("DELETE /v2/resources/webhooks/{webhook}", "", 401, [404, 404], [200, 200], 200),
];
