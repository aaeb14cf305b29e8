//! What users are to partners that they manage, as both versions name it.

use kassa_domain::partner::Role;
use utoipa::openapi::{RefOr, Schema};

use super::{enum_input, enum_names};

enum_names! {
    static ROLES: Role {
        Owner => "owner",
        Manager => "manager",
        Seller => "seller",
        Accountant => "accountant",
        Reader => "reader",
    }
}

enum_input! {
    pub(crate) struct RoleInput(Role) of ROLES;
}

/// The form of a role in answers.
pub(crate) fn role_schema() -> RefOr<Schema> {
    let about = "What the user is to the partner: an `owner` does everything, a `manager` all but what gives access to \
                 the partner, a `seller` sells, an `accountant` looks after the money, and a `reader` looks on.";
    ROLES.schema().description(Some(about)).into()
}
