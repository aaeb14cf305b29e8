//! Passwords and codes of second factors that are tried.

use kassa_domain::Refusal;
use kassa_domain::refusal::CredentialFault;
use kassa_domain::user::UserId;
use kassa_engine::Failure;
use kassa_engine::metrics::Limit;

use crate::app::AppState;
use crate::error::ApiError;
use crate::rate_limits::{PasswordTarget, RateLimitExceeded};

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

/// The same where the code of a second factor may come along: those of a user are counted together, at log-ins and in
/// sessions. A code is counted before it is tried, so that nobody tries many at the same time, and given back if it was
/// not wrong, or nobody waited to hear: where the password is wrong, too, its owner is not locked out.
pub(crate) async fn limit_code_attempts<T>(
    app: &AppState,
    tried: PasswordTarget,
    user: Option<UserId>,
    outcome: impl Future<Output = Result<T, Failure>>,
) -> Result<T, ApiError> {
    let Some(user) = user else { return limit_password_attempts(app, tried, outcome).await };
    let mut attempt =
        CodeAttempt::begin(app, user).inspect_err(|_| app.engine.limit_hits().record(Limit::WrongPasswords))?;
    let outcome = async {
        let outcome = outcome.await;
        attempt.was_wrong = matches!(
            outcome,
            Err(Failure::Refused(
                Refusal::CredentialInvalid(CredentialFault::WrongSecondFactor) | Refusal::SecondFactorCodeWrong
            ))
        );
        outcome
    };
    limit_password_attempts(app, tried, outcome).await
}

/// A code that is being tried. It counts while it is, and afterwards if it was wrong.
struct CodeAttempt<'a> {
    app: &'a AppState,
    user: UserId,
    was_wrong: bool,
}

impl<'a> CodeAttempt<'a> {
    fn begin(app: &'a AppState, user: UserId) -> Result<Self, RateLimitExceeded> {
        let (limiters, now) = (&app.rate_limiters, app.engine.now());
        limiters.wrong_codes_of_day.try_acquire(&user, now)?;
        let of_hour = limiters.wrong_codes_of_hour.try_acquire(&user, now);
        of_hour.inspect_err(|_| limiters.wrong_codes_of_day.give_back(&user, now))?;
        Ok(Self { app, user, was_wrong: false })
    }
}

impl Drop for CodeAttempt<'_> {
    fn drop(&mut self) {
        if !self.was_wrong {
            let (limiters, now) = (&self.app.rate_limiters, self.app.engine.now());
            limiters.wrong_codes_of_hour.give_back(&self.user, now);
            limiters.wrong_codes_of_day.give_back(&self.user, now);
        }
    }
}
