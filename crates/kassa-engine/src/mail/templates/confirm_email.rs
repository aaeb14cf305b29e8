//! "Is this address yours?"

use kassa_domain::user::User;
use url::Url;

use super::builder::{ComposedMail, MailBuilder};
use crate::mail::MailSettings;

/// Asks the reader to confirm an address with a token, on the shop's page if it has one.
pub(super) fn write(user: &User, token: &str, settings: &MailSettings) -> ComposedMail {
    let host = settings.public_url.as_ref().and_then(Url::host_str);
    let at = host.map(|host| format!(" at {host}")).unwrap_or_default();
    let mut sheet = MailBuilder::default();
    sheet.paragraph("Hello,");
    sheet.paragraph(&format!("somebody has given this address for an account{at}:"));
    sheet.code(user.email.as_str());
    if let Some(page) = &settings.confirm_page {
        sheet.paragraph("If it was you, please confirm here that the address is yours:");
        sheet.link("Confirm the address", page.clone().query_pairs_mut().append_pair("token", token).finish().as_str());
    } else {
        sheet.paragraph("If it was you, please confirm that the address is yours. This token does it:");
        sheet.code(token);
        if let Some(url) = &settings.public_url {
            sheet.paragraph("Programs send it as {\"token\": \"...\", \"password\": \"...\"} by POST to");
            sheet.code(&format!("{}/v1/services/confirm", url.as_str().trim_end_matches('/')));
        }
    }
    sheet.paragraph(
        "You are asked for the password of the registration, or can set one. You can do so for seven days. If it was \
         not you, do nothing, or set a password of your own: without your confirmation nobody sees what was ordered \
         for your address.",
    );
    sheet.finish("Please confirm your e-mail address")
}
