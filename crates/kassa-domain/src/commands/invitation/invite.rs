//! How partners invite, and take invitations back.

use crate::commands::mail::queue_invitation;
use crate::context::Context;
use crate::model::invitation::{INVITATIONS_OF_FOUNDER_MAX, Invitation, InvitationKey, InvitationStatus};
use crate::model::partner::MANAGERS_MAX;
use crate::refusal::Refusal;
use crate::values::resource_ids::{PartnerId, UserId};
use crate::values::time::Timestamp;
use crate::view::View;

/// Invites a user to manage a partner, unless it is invited already. The view has the partner, all invitations of both,
/// the managers of the partner, and the user. Whether the user has an account makes no difference.
pub(crate) fn invite(partner: PartnerId, user: UserId, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
    let record = view.users.get(user).ok_or_else(|| Refusal::UserUnknown(user.to_string()))?;
    let (key, email) = (InvitationKey { partner: Some(partner), user }, record.email.clone());
    let earlier = view.invitations.get(key).filter(|invitation| !invitation.is_expired(cx.now)).cloned();
    match earlier {
        // Who said no is not asked again until that has lapsed.
        Some(Invitation { status: InvitationStatus::Pending | InvitationStatus::Declined, .. }) => Ok(()),
        Some(earlier) => {
            // It has had its mail.
            view.invitations.put(Invitation { status: InvitationStatus::Pending, ..earlier });
            Ok(())
        }
        None => {
            // All that have not lapsed count: taking back and inviting others makes no room for more mails.
            let sent = |is_meant: &dyn Fn(&Invitation) -> bool| {
                view.invitations.rows().filter(|other| is_meant(other) && other.uses_up_a_mail(cx.now)).count()
            };
            if sent(&|other| other.key.partner == Some(partner)) + view.managers_of(partner).len()
                >= MANAGERS_MAX as usize
            {
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
            let invitation = Invitation::new(key, founder, email, cx.now);
            queue_invitation(&invitation, cx, view);
            view.invitations.put(invitation);
            Ok(())
        }
    }
}

/// Takes back what a partner has asked others than these, and what others than these have accepted. What has lapsed is
/// over by itself.
pub(crate) fn revoke_all_but(partner: PartnerId, kept: &[UserId], now: Timestamp, view: &mut View) {
    let is_dropped = |invitation: &&Invitation| {
        invitation.key.partner == Some(partner)
            && matches!(invitation.status, InvitationStatus::Pending | InvitationStatus::Accepted)
            && !invitation.is_expired(now)
            && !kept.contains(&invitation.key.user)
    };
    let dropped: Vec<Invitation> = view.invitations.rows().filter(is_dropped).cloned().collect();
    for invitation in dropped {
        view.invitations.put(Invitation { status: InvitationStatus::Revoked, ..invitation });
    }
}
