//! Commands on invitations. Partners send them by a change of their users.

mod answer;
mod invite;
mod invite_to_register;
mod purge;

pub use answer::{AnswerInvitation, InvitationAnswer};
pub(crate) use invite::{Invited, invite, revoke_if};
pub use invite_to_register::InviteToRegister;
pub use purge::PurgeInvitations;
