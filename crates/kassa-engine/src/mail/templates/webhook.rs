//! "Your webhook does not work."

use kassa_domain::webhook::{Webhook, WebhookNotice};
use url::Url;

use super::builder::{ComposedMail, MailBuilder};
use crate::mail::MailSettings;

/// Tells people of a partner how an endpoint does, and what they can do.
pub(super) fn write(webhook: &Webhook, notice: WebhookNotice, settings: &MailSettings) -> ComposedMail {
    let host = settings.public_url.as_ref().and_then(Url::host_str);
    let at = host.map(|host| format!(" at {host}")).unwrap_or_default();
    let (what, subject) = match notice {
        WebhookNotice::FailingForHour => ("has accepted nothing for an hour", "A webhook fails"),
        WebhookNotice::FailingForDay => ("has accepted nothing for a day", "A webhook has failed for a day"),
        WebhookNotice::DisabledFailing => {
            ("has accepted nothing for five days, and was disabled", "A webhook was disabled")
        }
        WebhookNotice::DisabledGone => ("has answered 410 (gone), and was disabled", "A webhook was disabled"),
    };
    let mut sheet = MailBuilder::default();
    sheet.paragraph("Hello,");
    sheet.paragraph(&format!("a webhook of yours{at} {what}:"));
    sheet.code(&webhook.url);
    sheet.code(&webhook.id.to_string());
    match notice {
        WebhookNotice::FailingForHour | WebhookNotice::FailingForDay => sheet.paragraph(
            "We keep trying. Nothing is lost: once it accepts messages again, it gets what it has missed, in order. \
             Its attempts show what it answered. After five days without a success it is disabled.",
        ),
        WebhookNotice::DisabledFailing | WebhookNotice::DisabledGone => sheet.paragraph(
            "Nothing is sent to it any more, and nothing was deleted. When you enable it again, it goes on where it \
             stopped, as far as changes are still kept: for thirty days, unless the operator says otherwise.",
        ),
    }
    sheet.finish(subject)
}
