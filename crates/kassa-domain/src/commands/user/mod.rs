//! Commands on users.

mod confirm;
mod find_or_create;
mod register;
mod set_password;
mod update;

pub use confirm::ConfirmEmail;
pub use register::RegisterUser;
pub use set_password::SetPassword;
pub use update::UpdateUser;
