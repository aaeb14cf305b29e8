//! A stop of a user, and its end.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::suspension::Suspension;
use crate::model::user::User;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::UserId;
use crate::view::{ReadSet, View};

/// Suspends a user, as the operator: it does not log in, and its sessions do nothing. One that is suspended stays so
/// since when it was.
#[derive(Debug)]
pub struct SuspendUser {
    /// Whom.
    pub user: UserId,
    /// The operator's note.
    pub reason: Option<String>,
}

impl Command for SuspendUser {
    type Outcome = User;

    const SILENT: Option<&'static str> = Some("users' accounts are nobody else's");

    fn shard(&self) -> ShardTag {
        self.user.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users.push(self.user);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<User, Refusal> {
        let user = find_user(self.user, cx, view)?;
        let suspension = Suspension::renewed(user.suspension.as_ref(), self.reason.clone(), cx.now);
        Ok(set_suspension(user, Some(suspension), cx, view))
    }
}

/// Lets a suspended user act again, as the operator. Sessions that have not ended are good again.
#[derive(Debug)]
pub struct RestoreUser {
    /// Whom.
    pub user: UserId,
}

impl Command for RestoreUser {
    type Outcome = User;

    const SILENT: Option<&'static str> = Some("users' accounts are nobody else's");

    fn shard(&self) -> ShardTag {
        self.user.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users.push(self.user);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<User, Refusal> {
        Ok(set_suspension(find_user(self.user, cx, view)?, None, cx, view))
    }
}

fn find_user(user: UserId, cx: &Context<'_>, view: &View) -> Result<User, Refusal> {
    permission::require_operator(cx.actor)?;
    view.users.get(user).cloned().ok_or(Refusal::NotFound("user"))
}

fn set_suspension(mut user: User, suspension: Option<Suspension>, cx: &Context<'_>, view: &mut View) -> User {
    if user.suspension != suspension {
        user.suspension = suspension;
        user.touch(cx.now);
        view.users.put(user.clone());
    }
    user
}
