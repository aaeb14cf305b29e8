//! Second factors: one-time codes (TOTP, RFC 6238) and recovery codes.
//!
//! A code has six digits and is good for 30 s, the half minute before and the one after. The secret that it is computed
//! from lies encrypted in the database; recovery codes lie there as keyed hashes.

use kassa_domain::session::Hex128;
use kassa_domain::user::{
    ActivateSecondFactor, ProposeSecondFactor, RECOVERY_CODES, RecoveryCodeHash, RemoveSecondFactor, SecondFactor,
    SecondFactorProof, User, UserId,
};
use kassa_domain::{Actor, ReadSet, View, hex};
use totp_rs::{Builder, Totp};

use crate::caller::CallerRef;
use crate::engine::Engine;
use crate::failure::Failure;

/// Bytes of a secret, as RFC 4226 recommends.
const SECRET_BYTES: usize = 20;
/// Bytes of a recovery code.
const RECOVERY_CODE_BYTES: usize = 8;
/// Who issues the codes, as apps name it beside the account.
const ISSUER: &str = "Kassa";
/// Digits of a one-time code.
const CODE_DIGITS: usize = 6;

/// What an app needs to compute codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondFactorEnrolment {
    /// The secret in base 32, to be typed.
    pub secret: String,
    /// The same as an `otpauth` URL, to be shown as a QR code.
    pub url: String,
}

impl Engine {
    /// Begins a second factor. The answer is shown once.
    pub async fn propose_second_factor<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        user: UserId,
        current_password: Option<String>,
        render: impl Fn(&SecondFactorEnrolment) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let by = by.into();
        let (found, verified_password_hash) = self.verify_current_password(by, user, current_password).await?;
        let secret = self.random_bytes::<SECRET_BYTES>();
        let totp = totp_of(&secret, found.email.as_str())?;
        let url = totp.to_url().map_err(|error| Failure::internal(&error.to_string()))?;
        let enrolment = SecondFactorEnrolment { secret: totp.secret().to_base32(), url };
        let sealed = self.inner.secret.seal(&secret, &seal_purpose(user), self.nonce());
        let sealed = sealed.ok_or_else(|| Failure::internal("a second factor could not be sealed"))?;
        let command = ProposeSecondFactor { user, verified_password_hash, encrypted_secret: hex::encode(&sealed) };
        self.execute(by, command, move |_, _| render(&enrolment)).await
    }

    /// Activates the second factor that was begun, and shows the recovery codes, once.
    pub async fn activate_second_factor<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        user: UserId,
        code: &str,
        session_token: Option<&str>,
        render: impl Fn(&[String]) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let by = by.into();
        kassa_domain::permission::write_user(by.actor, user)?;
        let view = self.view(&ReadSet { users: vec![user], ..ReadSet::default() }).await?;
        let proposed = view.users.get(user).and_then(|user| user.second_factor.as_ref());
        let code = match proposed {
            Some(factor) => {
                self.step_of_code(user, factor, code)?.map(|step| (factor.encrypted_secret().to_owned(), step))
            }
            None => None,
        };
        let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| self.random_hex(RECOVERY_CODE_BYTES)).collect();
        let recovery_codes = codes.iter().map(|code| self.hash_recovery_code(user, code)).collect();
        let session = session_token.map(|token| self.inner.secret.hash(token));
        let command = ActivateSecondFactor { user, code, recovery_codes, session };
        let shown: Vec<String> = codes.iter().map(|code| in_groups(code)).collect();
        let answer = self.execute(by, command, move |_, ()| render(&shown)).await?;
        self.invalidate_credentials();
        Ok(answer)
    }

    /// Removes the second factor of the caller.
    pub async fn remove_second_factor<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        user: UserId,
        current_password: Option<String>,
        code: Option<&str>,
        render: impl Fn() -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let by = by.into();
        let (found, verified_password_hash) = self.verify_current_password(by, user, current_password).await?;
        let code = code.map(|code| self.second_factor_proof(&found, code)).transpose()?;
        let command = RemoveSecondFactor { user, verified_password_hash, code };
        let answer = self.execute(by, command, move |_: &View, _: &User| render()).await?;
        self.invalidate_credentials();
        Ok(answer)
    }

    /// Takes the second factor of a user away, as the operator.
    pub async fn take_second_factor_away(&self, user: UserId) -> Result<User, Failure> {
        let command = RemoveSecondFactor { user, verified_password_hash: None, code: None };
        let user = self.execute(&Actor::Operator, command, |_, user| user.clone()).await?;
        self.invalidate_credentials();
        Ok(user)
    }

    /// What a code is, of the user's second factor. One that is wrong in any way is taken for a recovery code that
    /// there is not.
    pub(crate) fn second_factor_proof(&self, user: &User, code: &str) -> Result<SecondFactorProof, Failure> {
        if let Some(factor) = &user.second_factor
            && let Some(step) = self.step_of_code(user.id, factor, code)?
        {
            return Ok(SecondFactorProof::OneTimeCode { encrypted_secret: factor.encrypted_secret().to_owned(), step });
        }
        Ok(SecondFactorProof::RecoveryCode(self.hash_recovery_code(user.id, code)))
    }

    /// The time step of a one-time code, if it is one of now, within one step of clock skew.
    fn step_of_code(&self, user: UserId, factor: &SecondFactor, code: &str) -> Result<Option<i64>, Failure> {
        let code: String = code.chars().filter(|c| !c.is_whitespace()).collect();
        if code.len() != CODE_DIGITS {
            return Ok(None);
        }
        let secret = hex::decode(factor.encrypted_secret());
        let secret = secret.and_then(|sealed| self.inner.secret.open(&sealed, &seal_purpose(user)));
        let secret = secret.ok_or_else(|| Failure::internal("a second factor could not be opened with this secret"))?;
        let now_s = u64::try_from(self.now().ms() / 1_000).unwrap_or_default();
        let step = totp_of(&secret, "")?.check(&code, now_s);
        Ok(step.and_then(|step| i64::try_from(step).ok()))
    }

    /// The keyed hash of a recovery code, however it was typed.
    fn hash_recovery_code(&self, user: UserId, code: &str) -> RecoveryCodeHash {
        let digits: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
        let digest = self
            .inner
            .secret
            .digest("recovery code", &[&user.key().to_be_bytes(), digits.to_ascii_lowercase().as_bytes()]);
        Hex128(std::array::from_fn(|at| digest[at]))
    }
}

/// A sealed secret opens for its user only.
fn seal_purpose(user: UserId) -> String {
    format!("second factor of {user}")
}

/// Codes as every app computes them: SHA-1, six digits, 30 s.
fn totp_of(secret: &[u8], account: &str) -> Result<Totp, Failure> {
    let builder = Builder::new().with_secret(secret.to_vec()).with_issuer(Some(ISSUER)).with_account_name(account);
    builder.build().map_err(|error| Failure::internal(&error.to_string()))
}

/// A recovery code in groups of four, as people copy it.
fn in_groups(code: &str) -> String {
    let digits: Vec<char> = code.chars().collect();
    digits.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}
