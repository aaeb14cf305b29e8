//! Authorities whose certificates the machine trusts.

use std::sync::OnceLock;

/// What to do where there are none and some are needed.
pub const NO_AUTHORITIES: &str = "this machine trusts no certificate authority: install them (the package ca-certificates), or name \
                                  a file with their certificates in the variable SSL_CERT_FILE";

/// Whether there are any, when it was asked first.
pub fn has_authorities() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| !rustls_native_certs::load_native_certs().certs.is_empty())
}
