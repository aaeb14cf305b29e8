//! Users who run the platform.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::user::User;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::UserId;
use crate::view::{ReadSet, View};

/// Makes a user an operator of the platform, or one no longer: the command line alone does.
#[derive(Debug)]
pub struct SetOperator {
    /// Who: somebody with an account.
    pub user: UserId,
    /// Whether it shall be one.
    pub is_operator: bool,
}

impl Command for SetOperator {
    type Outcome = User;

    const SILENT: Option<&'static str> = Some("users' accounts are nobody else's");

    fn shard(&self) -> ShardTag {
        self.user.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users.push(self.user);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<User, Refusal> {
        permission::require_operator(cx.actor)?;
        // Nobody logs in as a customer: whoever registered the e-mail later would be an operator.
        let has_account = |user: &&User| user.password_hash().is_some() || !self.is_operator;
        let mut user = view.users.get(self.user).filter(has_account).ok_or(Refusal::NotFound("account"))?.clone();
        if user.operator_since.is_some() != self.is_operator {
            user.operator_since = self.is_operator.then_some(cx.now);
            user.touch(cx.now);
            view.users.put(user.clone());
        }
        Ok(user)
    }
}
