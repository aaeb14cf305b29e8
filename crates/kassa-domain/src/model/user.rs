//! Users: people with their own credentials, and the customers of orders.

use serde::{Deserialize, Serialize};

use super::row::Row;
use super::second_factor::{SecondFactor, SecondFactorProof};
use super::session::{Session, SessionHash};
use super::suspension::Suspension;
use crate::values::email::Email;
use crate::values::resource_ids::UserId;
use crate::values::time::{DAY_MS, Timestamp};

/// Days in which the address of a registration can be confirmed.
pub const CONFIRMATION_DAYS: i64 = 7;
/// The most addresses that an account keeps as its own.
const CONFIRMED_EMAILS_MAX: usize = 20;

/// Whether somebody can log in as a user, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "is")]
pub enum Account {
    /// An order's customer: nobody has registered this e-mail.
    Customer,
    /// Registered over a record that is not the registrant's until it has proved the e-mail: no log-in before.
    Pending {
        /// The Argon2 hash of the password.
        password_hash: String,
    },
    /// An account. Orders follow its e-mail once that is confirmed.
    Open {
        /// The Argon2 hash of the password.
        password_hash: String,
        /// The Argon2 hash of the password of a later registration of the e-mail, which waits beside the account until
        /// it is confirmed whose the e-mail is: the account manages partners and has proved no address.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        waiting_password_hash: Option<String>,
        /// The addresses that the user has proved to be its own, present and past. Orders follow
        /// these only: who registers an e-mail that is not its own, and moves on to another, does
        /// not take along what was ordered under the first.
        confirmed_emails: Vec<Email>,
        /// Which sessions a new password has ended; none, where the password is the first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session_cutoff: Option<SessionCutoff>,
    },
}

/// What a new password does to the sessions that were begun with an older one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionCutoff {
    /// Sessions of passwords that the user has had since then, or longer, are ended.
    pub at: Timestamp,
    /// But not the one that the password was changed in.
    pub kept_session: Option<SessionHash>,
}

/// A user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The id.
    pub id: UserId,
    /// Unique among users.
    pub email: Email,
    /// Whether somebody can log in as it, and how.
    pub account: Account,
    /// What a log-in needs besides the password, or will need.
    pub second_factor: Option<SecondFactor>,
    /// When the registration lapses, unless its e-mail is confirmed by then. `None` for others: customers, accounts that
    /// have proved an address, and those of releases before this rule.
    pub confirm_by: Option<Timestamp>,
    /// First name.
    pub first_name: Option<String>,
    /// Last name.
    pub last_name: Option<String>,
    /// Since when it is an operator of the platform; `None` of all others.
    pub operator_since: Option<Timestamp>,
    /// Set while the operator has suspended it.
    pub suspension: Option<Suspension>,
    /// When the record was made.
    pub created_at: Timestamp,
    /// When it was last edited.
    pub updated_at: Timestamp,
    /// Counts edits.
    pub revision: i64,
}

impl User {
    pub(crate) fn new(id: UserId, email: Email, account: Account, now: Timestamp) -> Self {
        Self {
            id,
            email,
            account,
            second_factor: None,
            confirm_by: None,
            first_name: None,
            last_name: None,
            operator_since: None,
            suspension: None,
            created_at: now,
            updated_at: now,
            revision: 1,
        }
    }

    /// The password's hash, for accounts that can log in once confirmed or at once.
    pub fn password_hash(&self) -> Option<&str> {
        match &self.account {
            Account::Customer => None,
            Account::Pending { password_hash: password } | Account::Open { password_hash: password, .. } => {
                Some(password)
            }
        }
    }

    /// The hash of the password of a later registration that waits beside the account.
    pub fn waiting_password_hash(&self) -> Option<&str> {
        match &self.account {
            Account::Customer | Account::Pending { .. } => None,
            Account::Open { waiting_password_hash: waiting, .. } => waiting.as_deref(),
        }
    }

    /// The hashes of the passwords that were registered with the e-mail: the one that logs in, and the one that waits.
    pub fn registered_password_hashes(&self) -> impl Iterator<Item = &str> {
        [self.password_hash(), self.waiting_password_hash()].into_iter().flatten()
    }

    /// Whether the e-mail is known to be the user's.
    pub fn is_email_confirmed(&self) -> bool {
        self.confirmed_emails().contains(&self.email)
    }

    /// The addresses that the user has proved to be its own.
    pub fn confirmed_emails(&self) -> &[Email] {
        match &self.account {
            Account::Customer | Account::Pending { .. } => &[],
            Account::Open { confirmed_emails: proved, .. } => proved,
        }
    }

    /// Whether a session of this user is still good.
    pub fn admits_session(&self, session: &Session) -> bool {
        match &self.account {
            Account::Customer | Account::Pending { .. } => false,
            Account::Open { session_cutoff: None, .. } => true,
            Account::Open { session_cutoff: Some(cut), .. } => {
                session.password_since > cut.at || cut.kept_session == Some(session.hash)
            }
        }
    }

    /// Since when the user has this password, as its sessions note it. No clock says when they begin: those
    /// of several servers differ.
    pub(crate) fn password_since(&self) -> Timestamp {
        match &self.account {
            Account::Open { session_cutoff: Some(cut), .. } => cut.at.plus_ms(1),
            Account::Open { session_cutoff: None, .. } | Account::Pending { .. } | Account::Customer => self.created_at,
        }
    }

    /// What a new password ends: each is later than the one before, whatever the clocks say. Sessions of
    /// servers before this rule have noted the time of the log-in instead; now is later than these.
    pub(crate) fn session_cutoff(&self, now: Timestamp, kept: Option<SessionHash>) -> SessionCutoff {
        SessionCutoff { at: now.max(self.password_since()), kept_session: kept }
    }

    /// Whether the account is known to be somebody's who has read the mail of an address, present or past. Until then
    /// it is whoever's can read the mail of its address.
    pub fn has_proved_an_email(&self) -> bool {
        !self.confirmed_emails().is_empty()
    }

    /// Whether whoever reads the mail of the present address may set a password. Not where another address was proved
    /// and this one was not: it may have been mistyped, and be a stranger's.
    pub fn may_reset_password_by_mail(&self) -> bool {
        self.password_hash().is_some() && (self.is_email_confirmed() || !self.has_proved_an_email())
    }

    /// When the present registration was made, as far as that is known.
    pub fn registered_at(&self) -> Timestamp {
        self.confirm_by.map_or(self.created_at, |by| by.plus_ms(-CONFIRMATION_DAYS * DAY_MS))
    }

    /// Whether log-ins need a code.
    pub fn has_second_factor(&self) -> bool {
        self.second_factor.as_ref().is_some_and(SecondFactor::is_active)
    }

    /// Uses up a code of the second factor. That is no edit of the user: the revision stays.
    pub(crate) fn use_second_factor(&mut self, proof: &SecondFactorProof) -> Result<(), CodeNotAccepted> {
        let accepted = self.second_factor.as_mut().is_some_and(|factor| factor.accept(proof));
        if accepted { Ok(()) } else { Err(CodeNotAccepted) }
    }

    /// Notes that the present e-mail is the user's. An account that waited for it opens; whatever sessions its record
    /// had before, under another registration, are over. No other registration of the e-mail waits any more.
    pub(crate) fn confirm_email(&mut self, now: Timestamp) {
        let cutoff = self.session_cutoff(now, None);
        let mut proved = self.confirmed_emails().to_vec();
        if !proved.contains(&self.email) {
            proved.push(self.email.clone());
            // An account that goes through many addresses keeps the latest.
            proved.drain(..proved.len().saturating_sub(CONFIRMED_EMAILS_MAX));
        }
        self.confirm_by = None;
        match &mut self.account {
            Account::Customer => {}
            Account::Pending { password_hash } => {
                self.account = Account::Open {
                    password_hash: std::mem::take(password_hash),
                    waiting_password_hash: None,
                    confirmed_emails: proved,
                    session_cutoff: Some(cutoff),
                };
            }
            Account::Open { waiting_password_hash, confirmed_emails, .. } => {
                *waiting_password_hash = None;
                *confirmed_emails = proved;
            }
        }
    }

    /// Gives the account another address, which is unconfirmed. Who has registered the one before in vain registers it
    /// anew.
    pub(crate) fn move_to(&mut self, email: Email) {
        self.email = email;
        self.drop_waiting_registration();
    }

    /// Lets a registration of the same e-mail wait until it is confirmed whose that is; it replaces one that waited.
    /// Only an open account has anything to lose to it.
    pub(crate) fn let_wait(&mut self, password_hash: String) {
        if let Account::Open { waiting_password_hash, .. } = &mut self.account {
            *waiting_password_hash = Some(password_hash);
        }
    }

    /// Forgets a registration that waits.
    pub(crate) fn drop_waiting_registration(&mut self) {
        if let Account::Open { waiting_password_hash, .. } = &mut self.account {
            *waiting_password_hash = None;
        }
    }

    /// Gives the account another password, which ends its sessions, except one. A customer record waits for its
    /// confirmation.
    pub(crate) fn set_password(&mut self, new_hash: String, kept: Option<SessionHash>, now: Timestamp) {
        let cutoff = self.session_cutoff(now, kept);
        match &mut self.account {
            Account::Customer | Account::Pending { .. } => self.account = Account::Pending { password_hash: new_hash },
            Account::Open { password_hash, session_cutoff, .. } => {
                *password_hash = new_hash;
                *session_cutoff = Some(cutoff);
            }
        }
    }

    /// Gives the account another password for whoever has proved its e-mail. Before any was proved, nobody knows whose
    /// its second factor is: it goes with the sessions.
    pub(crate) fn take_over(&mut self, new_hash: String, now: Timestamp) {
        if !self.has_proved_an_email() {
            self.second_factor = None;
        }
        self.set_password(new_hash, None, now);
    }

    /// Ends the sessions of the account, except one.
    pub(crate) fn end_sessions(&mut self, kept: Option<SessionHash>, now: Timestamp) {
        let cutoff = self.session_cutoff(now, kept);
        if let Account::Open { session_cutoff, .. } = &mut self.account {
            *session_cutoff = Some(cutoff);
        }
    }

    /// Gives an account that has proved no address the time to do so from now on.
    pub(crate) fn expect_confirmation(&mut self, now: Timestamp) {
        let is_asked = self.password_hash().is_some() && !self.has_proved_an_email();
        self.confirm_by = is_asked.then(|| now.plus_ms(CONFIRMATION_DAYS * DAY_MS));
    }

    pub(crate) fn touch(&mut self, now: Timestamp) {
        self.updated_at = now;
        self.revision += 1;
    }
}

/// The code is none of the second factor, or was used before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CodeNotAccepted;

impl Row for User {
    type Key = UserId;

    fn key(&self) -> UserId {
        self.id
    }

    fn makes_room(&self) -> bool {
        self.email.is_reserved()
    }
}
