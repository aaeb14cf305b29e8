//! A manager of a partner as v2 shows it.

use kassa_domain::invitation::{Invitation, InvitationKey, InvitationStatus};
use kassa_domain::partner::{PartnerId, PartnerManager, Role};
use kassa_domain::user::UserId;
use kassa_domain::{Timestamp, View};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use super::super::pagination::{PageRequest, list_answer};
use crate::input::{EmailText, Input, fields, requires};
use crate::openapi::schema;
use crate::wire::{EmptyBody, IdRef, RoleInput, TimeV2, UserRef, role_schema};

/// Somebody who manages a partner, or is asked to.
#[derive(Serialize, ToSchema)]
#[schema(as = Manager)]
pub(super) struct ManagerBody {
    /// The user.
    user: UserRef,
    /// The user's e-mail: of an invitation, the one that was invited; `null` where the user was invited by its id.
    email: Option<String>,
    /// The user's first name; `null` if it is not set, and before the user accepts.
    first_name: Option<String>,
    /// The user's last name; `null` if it is not set, and before the user accepts.
    last_name: Option<String>,
    #[schema(schema_with = role_schema)]
    role: &'static str,
    #[schema(schema_with = status_schema)]
    status: &'static str,
    /// Until when the invitation can be answered; `null` of those who manage the partner.
    expires_at: Option<TimeV2>,
}

fn status_schema() -> RefOr<Schema> {
    let about = "`active` manages the partner; `invited` has not answered, and `declined` has said no and may think \
                 better of it.";
    schema::words(["active", "invited", "declined"]).description(Some(about)).into()
}

impl ManagerBody {
    fn of_manager(manager: &PartnerManager, view: &View) -> Self {
        let user = view.users.get(manager.user);
        Self {
            user: IdRef(manager.user),
            email: user.map(|user| user.email.to_string()),
            first_name: user.and_then(|user| user.first_name.clone()),
            last_name: user.and_then(|user| user.last_name.clone()),
            role: manager.role.name(),
            status: "active",
            expires_at: None,
        }
    }

    fn of_invitation(invitation: &Invitation) -> Self {
        let is_declined = invitation.status == InvitationStatus::Declined;
        Self {
            user: IdRef(invitation.key.user),
            email: invitation.is_email_known.then(|| invitation.email.to_string()),
            first_name: None,
            last_name: None,
            role: invitation.role.name(),
            status: if is_declined { "declined" } else { "invited" },
            expires_at: Some(TimeV2(invitation.expires_at)),
        }
    }

    /// Somebody whom a command has dealt with. The view has what it left.
    fn found(partner: PartnerId, user: UserId, view: &View) -> Option<Self> {
        if let Some(manager) = view.managers.get((partner, user)) {
            return Some(Self::of_manager(manager, view));
        }
        view.invitations.get(InvitationKey { partner: Some(partner), user }).map(Self::of_invitation)
    }
}

/// Somebody who manages a partner.
#[derive(Serialize, ToSchema)]
#[schema(as = ManagerAnswer)]
pub(super) struct ManagerResponse {
    /// Who; `null` if nobody is left.
    data: Option<ManagerBody>,
    /// Always empty.
    refs: EmptyBody,
}

impl ManagerResponse {
    pub(super) fn new(partner: PartnerId, user: UserId, view: &View) -> Self {
        Self { data: ManagerBody::found(partner, user, view), refs: EmptyBody {} }
    }
}

list_answer! {
    /// The team of a partner.
    pub(super) struct ManagerListResponse as ManagersAnswer {
        /// Those of this page.
        data: Vec<ManagerBody>,
        /// Always empty.
        refs: EmptyBody,
    }
}

impl ManagerListResponse {
    /// Those who manage the partner, by what they may do, and behind them those who are asked to. The view has all of
    /// them.
    pub(super) fn new(partner: PartnerId, now: Timestamp, view: &View, wanted: PageRequest) -> Self {
        let mut managers: Vec<&PartnerManager> =
            view.managers.rows().filter(|manager| manager.partner == partner).collect();
        let rank = |role: Role| Role::ALL.iter().position(|other| *other == role);
        managers.sort_unstable_by_key(|manager| (rank(manager.role), manager.user));
        let is_open = |asked: &&Invitation| asked.key.partner == Some(partner) && asked.is_open(now);
        let mut invited: Vec<&Invitation> = view.invitations.rows().filter(is_open).collect();
        invited.sort_unstable_by_key(|asked| (asked.created_at, asked.key));
        let all = managers.into_iter().map(|manager| ManagerBody::of_manager(manager, view));
        let (total, data) = wanted.cut(all.chain(invited.into_iter().map(ManagerBody::of_invitation)).collect());
        Self::page(wanted, total, data, EmptyBody {})
    }
}

fields! {
    /// Who shall manage a partner.
    pub(crate) struct NewManagerInput {
        /// The address of whoever is invited, with an account or without.
        pub(super) email: Input<EmailText>,
        /// What it is to the partner.
        pub(super) role: Input<RoleInput>,
    }
}

requires! {
    /// Who shall manage a partner.
    pub(crate) struct NewManager: NewManagerInput { email, role }
}

fields! {
    /// Another role.
    pub(crate) struct ManagerRoleInput {
        /// What the user is to the partner.
        pub(super) role: Input<RoleInput>,
    }
}

requires! {
    /// Another role.
    pub(crate) struct ManagerChange: ManagerRoleInput { role }
}
