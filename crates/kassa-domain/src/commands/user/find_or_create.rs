//! The record of a customer.

use crate::context::Context;
use crate::model::user::{Account, User};
use crate::values::email::Email;
use crate::values::resource_ids::UserId;
use crate::view::View;

impl User {
    /// The record of an e-mail, which is created if there is none. The read set names the e-mail.
    pub(crate) fn find_or_create_by_email(email: &Email, cx: &mut Context<'_>, view: &mut View) -> UserId {
        if let Some(user) = view.user_by_email(email) {
            return user.id;
        }
        let user = Self::new(cx.root_id(), email.clone(), Account::Customer, cx.now);
        let id = user.id;
        view.users.put(user);
        id
    }
}
