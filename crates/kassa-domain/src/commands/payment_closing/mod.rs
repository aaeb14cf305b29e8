//! How payments come to rest: by commands of their own, and of their orders.

mod facts;

use crate::context::Context;
use crate::model::order::Order;
use crate::model::payment::{OrderPayment, PaymentReason, PaymentStatus};
use crate::values::money::Money;
use crate::values::resource_ids::PaymentId;
use crate::view::View;

impl OrderPayment {
    /// Nothing more is bought with it: what is unused goes back.
    pub(crate) fn rest(&mut self, reason: PaymentReason) {
        self.reason = Some(reason);
        self.status = if self.unused() > Money::ZERO {
            PaymentStatus::Returning
        } else if self.used > Money::ZERO {
            PaymentStatus::Paid
        } else if self.returned > Money::ZERO {
            PaymentStatus::Returned
        } else if matches!(reason, PaymentReason::Declined | PaymentReason::Expired) {
            PaymentStatus::Failed
        } else {
            PaymentStatus::Canceled
        };
    }

    /// Puts what has become of it into the view, and states that; nothing if it is as it was.
    pub(crate) fn store(mut self, was: &Self, cx: &Context<'_>, view: &mut View) -> Self {
        if self == *was {
            return self;
        }
        self.polls = 0;
        let goes_back = self.status == PaymentStatus::Returning && self.provider.can_be_asked();
        self.poll_at = if goes_back { Some(cx.now) } else { self.next_poll(cx.now) };
        let (kind, facts) = (self.change_type(was), self.change_facts(was));
        cx.state(&mut self, kind, facts, view);
        view.payments.put(self.clone());
        self
    }
}

/// No money is waited for any more by the payments of an order, but for one of them. The view has all.
pub(crate) fn close_payments(
    order: &Order,
    except: Option<PaymentId>,
    reason: PaymentReason,
    cx: &Context<'_>,
    view: &mut View,
) {
    let waits = |payment: &&OrderPayment| {
        payment.order == order.id && payment.status == PaymentStatus::Pending && Some(payment.id) != except
    };
    let mut open: Vec<OrderPayment> = view.payments.rows().filter(waits).cloned().collect();
    open.sort_unstable_by_key(|payment| payment.id);
    for was in open {
        let mut after = was.clone();
        after.rest(reason);
        after.store(&was, cx, view);
    }
}
