//! "Set a new password."

use kassa_domain::user::User;
use url::Url;

use super::builder::{ComposedMail, MailBuilder};
use crate::mail::MailSettings;

/// Gives the reader a token that sets a new password, on the shop's page if it has one.
pub(super) fn write(user: &User, token: &str, settings: &MailSettings) -> ComposedMail {
    let host = settings.public_url.as_ref().and_then(Url::host_str);
    let at = host.map(|host| format!(" at {host}")).unwrap_or_default();
    let mut sheet = MailBuilder::default();
    sheet.paragraph("Hello,");
    sheet.paragraph(&format!("somebody wants to set a new password for the account{at} of"));
    sheet.code(user.email.as_str());
    if let Some(page) = &settings.reset_page {
        sheet.paragraph("If it was you, please set it here:");
        sheet.link("Set a new password", page.clone().query_pairs_mut().append_pair("token", token).finish().as_str());
    } else {
        sheet.paragraph("If it was you, this token does it:");
        sheet.code(token);
        if let Some(url) = &settings.public_url {
            sheet.paragraph("Programs send it as {\"token\": \"...\", \"password\": \"...\"} by POST to");
            sheet.code(&format!("{}/v1/services/password_reset/confirm", url.as_str().trim_end_matches('/')));
        }
    }
    sheet.paragraph(
        "You can do so once, within an hour; it ends all your sessions. If it was not you, do nothing: your password \
         stays as it is.",
    );
    sheet.finish("Set a new password")
}
