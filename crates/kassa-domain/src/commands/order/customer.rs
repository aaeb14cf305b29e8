//! Changes to who buys.

use crate::context::Context;
use crate::model::order::Customer;
use crate::model::user::User;
use crate::values::email::Email;
use crate::values::patch::Patch;
use crate::view::View;

impl Customer {
    /// An address that nobody has used before becomes a user record.
    pub(super) fn apply(&mut self, patch: CustomerPatch, cx: &mut Context<'_>, view: &mut View) {
        match patch.email {
            Patch::Keep => {}
            Patch::Clear => (self.email, self.user) = (None, None),
            Patch::Set(email) => {
                self.user = Some(User::find_or_create_by_email(&email, cx, view));
                self.email = Some(email);
            }
        }
        self.apply_details(patch.first_name, patch.last_name, patch.mobile, patch.lang);
    }

    fn apply_details(
        &mut self,
        first_name: Patch<String>,
        last_name: Patch<String>,
        mobile: Patch<String>,
        lang: Patch<String>,
    ) {
        first_name.apply(&mut self.first_name);
        last_name.apply(&mut self.last_name);
        mobile.apply(&mut self.mobile);
        lang.apply(&mut self.lang);
    }

    /// Whether a patch would leave it as it is.
    pub(super) fn is_unchanged_by(&self, patch: &CustomerPatch) -> bool {
        let CustomerPatch { email, first_name, last_name, mobile, lang } = patch.clone();
        let mut after = self.clone();
        email.apply(&mut after.email);
        after.apply_details(first_name, last_name, mobile, lang);
        after == *self
    }
}

/// A partial update of [`Customer`].
#[derive(Clone, Debug, Default)]
pub struct CustomerPatch {
    /// Where the tickets go.
    pub email: Patch<Email>,
    /// First name.
    pub first_name: Patch<String>,
    /// Last name.
    pub last_name: Patch<String>,
    /// Telephone.
    pub mobile: Patch<String>,
    /// Language.
    pub lang: Patch<String>,
}

impl CustomerPatch {
    /// Somebody with this address.
    #[cfg(feature = "test-support")]
    pub fn with_email(email: Email) -> Self {
        Self { email: Patch::Set(email), ..Self::default() }
    }

    /// Names the customer: the last word is the last name, all that stands before it the first.
    pub fn with_full_name(full_name: Patch<String>) -> Self {
        let (first_name, last_name) = match full_name {
            Patch::Keep => (Patch::Keep, Patch::Keep),
            Patch::Clear => (Patch::Clear, Patch::Clear),
            Patch::Set(name) => match name.trim().rsplit_once(' ') {
                Some((first, last)) => (Patch::Set(first.to_owned()), Patch::Set(last.to_owned())),
                None => (Patch::Set(name.trim().to_owned()), Patch::Clear),
            },
        };
        Self { first_name, last_name, ..Self::default() }
    }

    /// Forgets the customer.
    pub fn clear() -> Self {
        let nothing = || Patch::Clear;
        Self { email: Patch::Clear, first_name: nothing(), last_name: nothing(), mobile: nothing(), lang: nothing() }
    }
}
