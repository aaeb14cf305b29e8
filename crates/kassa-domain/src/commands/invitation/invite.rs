//! How partners invite, and take invitations back.

use crate::commands::mail::queue_invitation;
use crate::context::Context;
use crate::model::invitation::{INVITATIONS_OF_FOUNDER_MAX, Invitation, InvitationKey, InvitationStatus};
use crate::model::partner::MANAGERS_MAX;
use crate::model::role::Role;
use crate::refusal::Refusal;
use crate::values::resource_ids::{PartnerId, UserId};
use crate::values::time::Timestamp;
use crate::view::View;

/// Who is invited, and as what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Invited {
    pub(crate) user: UserId,
    /// Whether its address was named, and not its id.
    pub(crate) is_email_known: bool,
    pub(crate) role: Role,
}

/// Invites a user to manage a partner, unless it is invited already: then the role is that of now. The view has the partner, all invitations of both,
/// the managers of the partner, and the user. Whether the user has an account makes no difference.
pub(crate) fn invite(
    partner: PartnerId,
    invited: Invited,
    cx: &mut Context<'_>,
    view: &mut View,
) -> Result<(), Refusal> {
    let Invited { user, is_email_known, role } = invited;
    let record = view.users.get(user).ok_or_else(|| Refusal::UserUnknown(user.to_string()))?;
    let (key, email) = (InvitationKey { partner: Some(partner), user }, record.email.clone());
    let earlier = view.invitations.get(key).filter(|invitation| !invitation.is_expired(cx.now)).cloned();
    if let Some(earlier) = earlier {
        let is_email_known = earlier.is_email_known || is_email_known && earlier.email == email;
        renew(&earlier, is_email_known, role, view);
        return Ok(());
    }
    // All that have not lapsed count: taking back and inviting others makes no room for more mails.
    let sent = |is_meant: &dyn Fn(&Invitation) -> bool| {
        view.invitations.rows().filter(|other| is_meant(other) && other.uses_up_a_mail(cx.now)).count()
    };
    if sent(&|other| other.key.partner == Some(partner)) + view.managers_of(partner).len() >= MANAGERS_MAX as usize {
        return Err(Refusal::TooMany { what: "users of one partner", max: MANAGERS_MAX });
    }
    let founder = view.partners.get(partner).and_then(|partner| partner.user);
    let is_of_founder = |other: &Invitation| other.key.user == user && other.founder == founder;
    if founder.is_some() && sent(&is_of_founder) >= INVITATIONS_OF_FOUNDER_MAX as usize {
        return Err(Refusal::TooMany {
            what: "invitations of one user by partners that another has made",
            max: INVITATIONS_OF_FOUNDER_MAX,
        });
    }
    let invitation = Invitation { is_email_known, role, ..Invitation::new(key, founder, email, cx.now) };
    queue_invitation(&invitation, cx, view);
    view.invitations.put(invitation);
    Ok(())
}

/// Asks somebody once more who was asked before, in a role: without another mail.
fn renew(earlier: &Invitation, is_email_known: bool, role: Role, view: &mut View) {
    let status = match earlier.status {
        // Who said no is not asked again until that has lapsed.
        InvitationStatus::Declined => InvitationStatus::Declined,
        InvitationStatus::Pending | InvitationStatus::Accepted | InvitationStatus::Revoked => InvitationStatus::Pending,
    };
    let renewed = Invitation { is_email_known, role, status, ..earlier.clone() };
    if renewed != *earlier {
        view.invitations.put(renewed);
    }
}

/// Takes back what a partner has asked some users, and what these have accepted. What has lapsed is over by itself.
pub(crate) fn revoke_if(partner: PartnerId, now: Timestamp, view: &mut View, is_meant: impl Fn(UserId) -> bool) {
    let is_dropped = |invitation: &&Invitation| {
        invitation.key.partner == Some(partner)
            && matches!(invitation.status, InvitationStatus::Pending | InvitationStatus::Accepted)
            && !invitation.is_expired(now)
            && is_meant(invitation.key.user)
    };
    let dropped: Vec<Invitation> = view.invitations.rows().filter(is_dropped).cloned().collect();
    for invitation in dropped {
        view.invitations.put(Invitation { status: InvitationStatus::Revoked, ..invitation });
    }
}
