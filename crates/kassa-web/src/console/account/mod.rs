//! Accounts: signing in and out, registration, and passwords that were forgotten.

mod passwords;
mod registration;
mod session;
mod settings;

use askama::Template;

pub(crate) use self::passwords::{forgotten, password};
pub(crate) use self::registration::{confirm, register};
pub(crate) use self::session::{sign_in, sign_in_path, sign_out};
pub(crate) use self::settings::settings;
use super::fields::Fields;
use super::frame::ConsoleFrame;

/// Which form of an account a page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    SignIn,
    Register,
    Confirm,
    Forgotten,
    Password,
}

/// A page with one small form about an account.
#[derive(Template)]
#[template(path = "console/account.html")]
struct AccountPage<'a> {
    frame: ConsoleFrame<'a>,
    form: Form,
    title: String,
    hint: String,
    fields: Fields,
    /// Whether a code of the second factor is asked for.
    needs_code: bool,
    /// What was done, in place of the form.
    is_done: bool,
}

/// What the form asks for, and why.
impl Form {
    fn texts(self) -> [&'static str; 2] {
        match self {
            Self::SignIn => ["sign-in", "sign-in-hint"],
            Self::Register => ["register", "register-hint"],
            Self::Confirm => ["confirm-address", "confirm-address-hint"],
            Self::Forgotten => ["forgotten", "forgotten-hint"],
            Self::Password => ["new-password", "new-password-hint"],
        }
    }
}

impl<'a> AccountPage<'a> {
    fn new(visit: &super::visit::Visit<'a>, form: Form, fields: Fields) -> Self {
        let [title, hint] = form.texts().map(|key| visit.texts().text(key));
        let frame = ConsoleFrame::open(visit, &title);
        Self { frame, form, title, hint, fields, needs_code: false, is_done: false }
    }
}
