//! Commands on users.

mod confirm;
mod ensure;
mod register;
mod set_password;
mod update;

pub use confirm::ConfirmEmail;
pub use ensure::EnsureUser;
pub use register::RegisterUser;
pub use set_password::SetPassword;
pub use update::UpdateUser;
