//! Passwords that are tried.

use kassa_domain::Refusal;
use kassa_engine::Failure;
use kassa_engine::metrics::Limit;

use crate::app::AppState;
use crate::error::ApiError;
use crate::rate_limits::PasswordTarget;

/// What comes of trying a password, unless too many were wrong. Whoever tries many at the same time has looked before
/// any of them failed: those that are beyond the limit are counted, too, so that nothing is gained by it.
pub(crate) async fn limit_password_attempts<T>(
    app: &AppState,
    tried: PasswordTarget,
    outcome: impl Future<Output = Result<T, Failure>>,
) -> Result<T, ApiError> {
    let failures = &app.rate_limiters.log_in_failures;
    let checked = failures.check(&tried, app.engine.now());
    checked.inspect_err(|_| app.engine.limit_hits().record(Limit::WrongPasswords))?;
    let outcome = outcome.await;
    if let Err(Failure::Refused(
        Refusal::CredentialInvalid(_) | Refusal::CurrentPasswordWrong | Refusal::SecondFactorCodeWrong,
    )) = outcome
    {
        failures.record(&tried, app.engine.now());
    }
    Ok(outcome?)
}
