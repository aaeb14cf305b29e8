//! The mail with a list of orders.

use kassa_domain::mail::Mail;
use kassa_domain::order::ExportFilter;
use kassa_domain::partner::PartnerId;
use kassa_domain::user::Email;
use kassa_domain::{ReadSet, permission};
use kassa_store::queries::{ExportScope, OrdersFilter};

use super::{CsvWriter, ExportPages};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::mail::{ComposedMail, MailAttachment, MailBuilder};

/// The longest list, in bytes: hardly any mail server takes more than 25 MiB, and the way there makes
/// it longer by a third.
const CSV_BYTES_MAX: usize = 16 * 1024 * 1024;
/// By it spreadsheets know that a text is UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

impl Engine {
    /// Writes the mail with the orders as they are now, of those that were there when it was asked for. `None` if its
    /// reader does not manage the partner any more, or has another e-mail.
    pub(crate) async fn write_export_mail(
        &self,
        exported: &ExportFilter,
        mail: &Mail,
    ) -> Result<Option<ComposedMail>, Failure> {
        if !self.receives_exports(&mail.to, exported.partner).await? {
            return Ok(None);
        }
        let (from, till) = exported.created.unwrap_or((kassa_domain::Timestamp::from_ms(i64::MIN), mail.created_at));
        let narrowed = OrdersFilter {
            created: Some((from, till.min(mail.created_at))),
            status: exported.status.clone(),
            events: exported.events.clone(),
            with_customer: exported.with_customer,
            ..OrdersFilter::default()
        };
        let whose = [ExportScope::OfOrganizer(exported.partner), ExportScope::OfAgent(exported.partner)];
        let mut pages = ExportPages::new(self, whose, narrowed);
        let (mut csv, mut count, mut is_cut) = (CsvWriter::default(), 0_u64, false);
        'pages: while let Some(rows) = pages.next().await? {
            for row in rows {
                if csv.len() > CSV_BYTES_MAX {
                    is_cut = true;
                    break 'pages;
                }
                csv.push(&row);
                count += 1;
            }
        }
        let mut sheet = MailBuilder::default();
        sheet.paragraph("Hello,");
        sheet.paragraph("here is the list of orders that was asked for.");
        sheet.labeled_values(&[("Orders", &count.to_string())]);
        if is_cut {
            sheet.paragraph(
                "There are more of them than one mail can hold: please ask for shorter times, one after the other.",
            );
        }
        let file = MailAttachment {
            name: "orders.csv".to_owned(),
            content_type: "text/csv; charset=utf-8",
            bytes: format!("{BYTE_ORDER_MARK}{}", csv.take()).into_bytes(),
        };
        let mut content = sheet.finish("Your list of orders");
        content.attachments.push(file);
        Ok(Some(content))
    }

    async fn receives_exports(&self, email: &Email, partner: PartnerId) -> Result<bool, Failure> {
        let read_set =
            ReadSet { users_by_email: vec![email.clone()], managers_of: vec![partner], ..ReadSet::default() };
        let view = self.view(&read_set).await?;
        let user = view.user_by_email(email);
        Ok(user.is_some_and(|user| permission::receives_exports(user, email, partner, &view)))
    }
}
