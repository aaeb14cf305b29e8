//! Commands on users.

mod confirm;
mod current_password;
mod end_sessions;
mod find_or_create;
mod lapse;
mod operator;
mod register;
mod request_password_reset;
mod reset_password;
mod second_factor;
mod set_password;
mod suspend;
mod update;

pub use confirm::ConfirmEmail;
pub use end_sessions::EndSessions;
pub use lapse::LapseRegistration;
pub use operator::SetOperator;
pub use register::{EarlierRegistration, RegisterUser};
pub use request_password_reset::RequestPasswordReset;
pub use reset_password::ResetPassword;
pub use second_factor::{ActivateSecondFactor, ProposeSecondFactor, RemoveSecondFactor};
pub use set_password::SetPassword;
pub use suspend::{RestoreUser, SuspendUser};
pub use update::UpdateUser;
