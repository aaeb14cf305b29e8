//! The second factor of an account: one-time codes that an app computes (TOTP, RFC 6238), and recovery codes for the
//! day on which the app is lost.

use serde::{Deserialize, Serialize};

use crate::values::hex128::Hex128;

/// How many recovery codes an account gets.
pub const RECOVERY_CODES: usize = 10;

/// A keyed hash of a recovery code.
pub type RecoveryCodeHash = Hex128;

/// A second factor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "is")]
pub enum SecondFactor {
    /// Begun: until a code shows that the user's app has the secret, no log-in asks for one.
    Proposed {
        /// The secret that the user's app is given, encrypted with the server's secret, in hexadecimal digits.
        encrypted_secret: String,
    },
    /// Each log-in needs a code.
    Active {
        /// The secret that the user's app has, likewise.
        encrypted_secret: String,
        /// The time step of the code that was accepted last: neither it nor an earlier one is accepted again.
        last_step: i64,
        /// The recovery codes that were not used.
        recovery_codes: Vec<RecoveryCodeHash>,
    },
}

/// A code that was found to be right; whether it may be used, the decision says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecondFactorProof {
    /// A one-time code.
    OneTimeCode {
        /// The stored secret that it was found to be of.
        encrypted_secret: String,
        /// Its time step.
        step: i64,
    },
    /// A recovery code, or what was given in place of one: the stored hashes tell.
    RecoveryCode(RecoveryCodeHash),
}

impl SecondFactor {
    /// The secret, encrypted.
    pub fn encrypted_secret(&self) -> &str {
        match self {
            Self::Proposed { encrypted_secret } | Self::Active { encrypted_secret, .. } => encrypted_secret,
        }
    }

    /// Whether log-ins ask for it.
    pub fn is_active(&self) -> bool {
        matches!(self, Self::Active { .. })
    }

    /// Uses a code up, if it is one of this factor that was not used before.
    #[must_use]
    pub(crate) fn accept(&mut self, proof: &SecondFactorProof) -> bool {
        let Self::Active { encrypted_secret, last_step, recovery_codes } = self else { return false };
        match proof {
            SecondFactorProof::OneTimeCode { encrypted_secret: of, step } => {
                let is_new = of == encrypted_secret && step > last_step;
                if is_new {
                    *last_step = *step;
                }
                is_new
            }
            SecondFactorProof::RecoveryCode(hash) => {
                let found = recovery_codes.iter().position(|code| code == hash);
                found.map(|at| recovery_codes.remove(at)).is_some()
            }
        }
    }
}
