//! An invitation as v1 shows it.

use kassa_domain::invitation::{Invitation, InvitationAnswer, InvitationStatus};
use kassa_domain::partner::PartnerId;
use utoipa::openapi::{RefOr, Schema};

use crate::input::{Input, fields, requires};
use crate::route::ResourceKind;
use crate::wire::{IdRef, PartnerRef, Time, UserRef, WireField, enum_input, enum_names, role_schema, wire_form};

enum_names! {
    pub(super) static INVITATION_STATUSES: InvitationStatus {
        Pending => "pending",
        Accepted => "accepted",
        Declined => "declined",
        Revoked => "revoked",
    }

    static INVITATION_ANSWERS: InvitationAnswer {
        Accept => "accepted",
        Decline => "declined",
    }
}

wire_form! {
    /// An invitation to manage a partner.
    #[schema(as = Invitation)]
    pub(crate) struct InvitationBody {
        /// The partner that invites.
        partner: PartnerRef,
        /// The user who is invited.
        user: UserRef,
        #[schema(schema_with = role_schema)]
        role: &'static str,
        #[schema(schema_with = status_schema)]
        status: &'static str,
        /// When it was sent.
        created_at: Time,
        /// When it lapses: until then it can be answered.
        expires_at: Time,
    }
}

pub(crate) static INVITATION: ResourceKind = ResourceKind::new("invitation", InvitationBody::KIND);

fn status_schema() -> RefOr<Schema> {
    let about = "`pending` until it is answered; who has `declined` it can still accept it.";
    INVITATION_STATUSES.schema().description(Some(about)).into()
}

impl InvitationBody {
    pub(super) fn new(partner: PartnerId, invitation: &Invitation) -> Self {
        Self {
            partner: IdRef(partner),
            user: IdRef(invitation.key.user),
            role: invitation.role.name(),
            status: INVITATION_STATUSES.name(invitation.status),
            created_at: Time(invitation.created_at),
            expires_at: Time(invitation.expires_at),
        }
    }
}

enum_input! {
    pub(super) struct AnswerInput(InvitationAnswer) of INVITATION_ANSWERS;
}

fields! {
    /// The answer to an invitation.
    pub(crate) struct InvitationInput {
        /// `accepted` or `declined`.
        pub(super) status: Input<AnswerInput>,
    }
}

requires! {
    /// The answer to an invitation.
    pub(crate) struct InvitationChange: InvitationInput { status }
}
