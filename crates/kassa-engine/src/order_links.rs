//! Links of orders that somebody has lost.

use kassa_domain::order::{Order, OrderStatusKind, RequestOrderLinks};
use kassa_domain::user::Email;
use kassa_domain::{ReadSet, View};
use kassa_store::PageWindow;
use kassa_store::queries::OrdersFilter;

use crate::caller::CallerRef;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::tenant::Tenant;

/// Orders of one mail, at most: the newest.
const LINKS_MAX: u32 = 50;

impl Engine {
    /// Mails the links of the orders that were made with an address. Neither the answer nor its time tells whether there are
    /// any: that is looked up when the mail leaves.
    pub async fn request_order_links(&self, email: Email, lang: Option<String>) -> Result<(), Failure> {
        let command = RequestOrderLinks { email, lang };
        self.execute(CallerRef::system_for(Tenant::Anonymous), command, |_, ()| ()).await
    }

    /// The newest orders that were made with an address and are neither over nor given up, with their events and vendors.
    pub(crate) async fn orders_of_address(&self, email: &Email) -> Result<(Vec<Order>, View), Failure> {
        let view = self.view(&ReadSet { users_by_email: vec![email.clone()], ..ReadSet::default() }).await?;
        let Some(user) = view.user_by_email(email) else { return Ok((Vec::new(), view)) };
        let live = [OrderStatusKind::Reserved, OrderStatusKind::AwaitingPayment, OrderStatusKind::Paid];
        let filter = OrdersFilter {
            customer: Some((user.id, vec![email.clone()])),
            status: Some(live.to_vec()),
            ..OrdersFilter::default()
        };
        let orders = self.page(filter, PageWindow::first(LINKS_MAX)).await?.rows;
        let around = ReadSet {
            events: orders.iter().map(|order| order.event).collect(),
            partners: orders.iter().map(|order| order.vendor).collect(),
            ..ReadSet::default()
        };
        Ok((orders, self.view(&around).await?))
    }
}
