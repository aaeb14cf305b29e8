//! "Will you manage this partner?"

use kassa_domain::partner::Partner;
use kassa_domain::user::Email;
use url::Url;

use super::builder::{ComposedMail, MailBuilder};
use crate::mail::MailSettings;

/// Invites the reader to manage a partner; where there is none, to register. Nothing in it opens an account.
pub(super) fn write(to: &Email, partner: Option<&Partner>, settings: &MailSettings) -> ComposedMail {
    let host = settings.public_url.as_ref().and_then(Url::host_str);
    let at = host.map(|host| format!(" at {host}")).unwrap_or_default();
    let mut sheet = MailBuilder::default();
    sheet.paragraph("Hello,");
    if let Some(partner) = partner {
        sheet.paragraph(&format!("you are invited to manage this partner{at}:"));
        sheet.code(&partner.name);
        sheet.paragraph(
            "Log in with this address, or register it and confirm it, and accept or decline the invitation. You can \
             do so for thirty days. If you do not know the partner, do nothing.",
        );
    } else {
        sheet.paragraph(&format!("you are invited to register an account{at} with this address:"));
        sheet.code(to.as_str());
        sheet.paragraph("You can do so for thirty days.");
    }
    sheet.finish("An invitation")
}
