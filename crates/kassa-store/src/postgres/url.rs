//! The URL of a database: what the driver reads of it, and what we read ourselves.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

/// How long the way to one host may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long the network may leave what was sent unconfirmed.
const TCP_USER_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a connection may be idle before its other end is asked whether it is there, and how often it is asked.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(2);
const KEEPALIVES_MAX: u32 = 3;

/// Where a PostgreSQL database is, and how to connect to it:
/// `postgres://user:password@host:port,host:port/database?sslmode=…`. It is shown without the password.
#[derive(Clone)]
pub struct DatabaseUrl {
    pub(super) config: Config,
    pub(super) security: TlsMode,
    pub(super) roots: TrustedRoots,
}

/// How far a connection is kept secret: `sslmode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TlsMode {
    /// `disable`: in the clear.
    Disable,
    /// `prefer`: encrypted where the server can do it, whoever it is.
    Prefer,
    /// `require`: encrypted, whoever it is.
    Require,
    /// `verify-ca`: by a server with a certificate of somebody whom we trust.
    VerifyCa,
    /// `verify-full`: the certificate also names the host.
    VerifyFull,
}

/// Whom we trust: `sslrootcert`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TrustedRoots {
    /// Those whom the system trusts.
    System,
    /// The certificates in a file, as PEM.
    File(PathBuf),
}

/// A URL of a database that cannot be used. It never names a password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the URL of the database: {0}")]
pub struct InvalidDatabaseUrl(String);

impl FromStr for DatabaseUrl {
    type Err = InvalidDatabaseUrl;

    fn from_str(text: &str) -> Result<Self, InvalidDatabaseUrl> {
        if !(text.starts_with("postgres://") || text.starts_with("postgresql://")) {
            return Err(invalid("it must begin with postgres://"));
        }
        let (address, query) = text.split_once('?').unwrap_or((text, ""));
        let (mut security, mut roots) = (None, None);
        let mut rest: Vec<&str> = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let decoded =
                || percent_decode_str(value).decode_utf8().map_err(|_| invalid(&format!("{name} is not UTF-8")));
            match name {
                "sslmode" => security = Some(TlsMode::parse(&decoded()?)?),
                "sslrootcert" => roots = Some(TrustedRoots::parse(&decoded()?)),
                "sslcert" | "sslkey" => return Err(invalid("certificates of clients are not supported")),
                _ => rest.push(pair),
            }
        }
        let plain = if rest.is_empty() { address.to_owned() } else { format!("{address}?{}", rest.join("&")) };
        let config: Config = plain.parse().map_err(|error| invalid(&super::errors::error_text(&error)))?;
        Self::new(config, security.unwrap_or(TlsMode::Prefer), roots)
    }
}

impl DatabaseUrl {
    fn new(mut config: Config, security: TlsMode, roots: Option<TrustedRoots>) -> Result<Self, InvalidDatabaseUrl> {
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(invalid("it names no host"));
        }
        if config.get_user().is_none() {
            return Err(invalid("it names no user"));
        }
        // What nobody has asked for: the one that takes writes, among several hosts.
        if config.get_target_session_attrs() == TargetSessionAttrs::Any {
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(TCP_USER_TIMEOUT);
        }
        // Of a host that is gone without a word, also when nothing of ours is under way to it.
        if config.get_keepalives_interval().is_none() {
            config
                .keepalives_idle(KEEPALIVE_INTERVAL)
                .keepalives_interval(KEEPALIVE_INTERVAL)
                .keepalives_retries(KEEPALIVES_MAX);
        }
        if config.get_application_name().is_none() {
            config.application_name("kassa");
        }
        // As every other client does: who names its authority wants to be sure.
        let security = match (security, &roots) {
            (TlsMode::Require, Some(_)) => TlsMode::VerifyCa,
            (other, _) => other,
        };
        // A socket in the file system is not a network.
        let hosts = config.get_hosts();
        let is_local = !hosts.is_empty() && hosts.iter().all(|host| matches!(host, Host::Unix(_)));
        config.ssl_mode(if is_local { SslMode::Disable } else { security.of_driver() });
        Ok(Self { config, security, roots: roots.unwrap_or(TrustedRoots::System) })
    }

    /// The same database on another server.
    pub(super) fn at(&self, host: &str, port: u16) -> Self {
        let mut config = Config::new();
        let old = &self.config;
        config
            .host(host)
            .port(port)
            .ssl_mode(self.security.of_driver())
            .ssl_negotiation(old.get_ssl_negotiation())
            .channel_binding(old.get_channel_binding())
            .target_session_attrs(old.get_target_session_attrs())
            .keepalives(old.get_keepalives())
            .keepalives_idle(old.get_keepalives_idle());
        if let Some(user) = old.get_user() {
            config.user(user);
        }
        if let Some(password) = old.get_password() {
            config.password(password);
        }
        if let Some(name) = old.get_dbname() {
            config.dbname(name);
        }
        if let Some(options) = old.get_options() {
            config.options(options);
        }
        if let Some(name) = old.get_application_name() {
            config.application_name(name);
        }
        if let Some(timeout) = old.get_connect_timeout() {
            config.connect_timeout(*timeout);
        }
        if let Some(timeout) = old.get_tcp_user_timeout() {
            config.tcp_user_timeout(*timeout);
        }
        if let Some(interval) = old.get_keepalives_interval() {
            config.keepalives_interval(interval);
        }
        if let Some(retries) = old.get_keepalives_retries() {
            config.keepalives_retries(retries);
        }
        Self { config, security: self.security, roots: self.roots.clone() }
    }

    /// The same for programs of PostgreSQL, such as `pg_dump`, as variables of their environment: unlike a command line,
    /// others do not see them, and so the password may be there.
    pub fn client_environment(&self) -> Vec<(&'static str, OsString)> {
        let config = &self.config;
        let hosts: Vec<OsString> = if config.get_hosts().is_empty() {
            config.get_hostaddrs().iter().map(|address| address.to_string().into()).collect()
        } else {
            let host = |host: &Host| match host {
                Host::Tcp(name) => name.into(),
                Host::Unix(path) => path.clone().into_os_string(),
            };
            config.get_hosts().iter().map(host).collect()
        };
        let ports: Vec<OsString> = config.get_ports().iter().map(|port| port.to_string().into()).collect();
        let timeout = config.get_connect_timeout().map_or(0, Duration::as_secs);
        // What would take any is given the first host that answers.
        let is_read_only = config.get_target_session_attrs() == TargetSessionAttrs::ReadOnly;
        let mut variables = vec![
            ("PGHOST", hosts.join(OsStr::new(","))),
            ("PGUSER", self.user().into()),
            ("PGDATABASE", config.get_dbname().unwrap_or(self.user()).into()),
            ("PGCONNECT_TIMEOUT", timeout.to_string().into()),
            ("PGTARGETSESSIONATTRS", if is_read_only { "read-only" } else { "read-write" }.into()),
            ("PGAPPNAME", "kassa backup".into()),
            ("PGSSLMODE", self.security.name().into()),
        ];
        if !ports.is_empty() {
            variables.push(("PGPORT", ports.join(OsStr::new(","))));
        }
        if let Some(password) = config.get_password() {
            variables.push(("PGPASSWORD", OsStr::from_bytes(password).to_owned()));
        }
        if let Some(options) = config.get_options() {
            variables.push(("PGOPTIONS", options.into()));
        }
        match (&self.roots, self.security) {
            (TrustedRoots::File(file), _) => variables.push(("PGSSLROOTCERT", file.clone().into_os_string())),
            // It takes no weaker mode with those of the system.
            (TrustedRoots::System, TlsMode::VerifyFull) => variables.push(("PGSSLROOTCERT", "system".into())),
            (TrustedRoots::System, _) => {}
        }
        variables
    }

    /// The user's name.
    pub(super) fn user(&self) -> &str {
        self.config.get_user().unwrap_or_default()
    }
}

impl TlsMode {
    fn name(self) -> &'static str {
        match self {
            Self::Disable => "disable",
            Self::Prefer => "prefer",
            Self::Require => "require",
            Self::VerifyCa => "verify-ca",
            Self::VerifyFull => "verify-full",
        }
    }

    /// What the driver has to know of it.
    fn of_driver(self) -> SslMode {
        match self {
            Self::Disable => SslMode::Disable,
            Self::Prefer => SslMode::Prefer,
            Self::Require | Self::VerifyCa | Self::VerifyFull => SslMode::Require,
        }
    }

    fn parse(text: &str) -> Result<Self, InvalidDatabaseUrl> {
        match text {
            "disable" => Ok(Self::Disable),
            "prefer" => Ok(Self::Prefer),
            "require" => Ok(Self::Require),
            "verify-ca" => Ok(Self::VerifyCa),
            "verify-full" => Ok(Self::VerifyFull),
            _ => Err(invalid("sslmode must be disable, prefer, require, verify-ca or verify-full")),
        }
    }
}

impl TrustedRoots {
    fn parse(text: &str) -> Self {
        if text == "system" { Self::System } else { Self::File(text.into()) }
    }
}

fn invalid(text: &str) -> InvalidDatabaseUrl {
    InvalidDatabaseUrl(text.to_owned())
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "postgres://{}@", self.user())?;
        let hosts = self.config.get_hosts().iter().map(|host| match host {
            Host::Tcp(name) => name.clone(),
            Host::Unix(path) => path.display().to_string(),
        });
        let hosts: Vec<String> = if self.config.get_hosts().is_empty() {
            self.config.get_hostaddrs().iter().map(ToString::to_string).collect()
        } else {
            hosts.collect()
        };
        let ports = self.config.get_ports();
        for (at, host) in hosts.iter().enumerate() {
            let port = ports.get(at).or(ports.first()).copied().unwrap_or(5432);
            write!(f, "{}{host}:{port}", if at == 0 { "" } else { "," })?;
        }
        write!(f, "/{}", self.config.get_dbname().unwrap_or(self.user()))
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Result<DatabaseUrl, String> {
        text.parse().map_err(|error: InvalidDatabaseUrl| error.to_string())
    }

    #[test]
    fn a_url_is_shown_without_its_password() {
        for (text, shown) in [
            ("postgres://kassa:s3cret@db/tickets", "postgres://kassa@db:5432/tickets"),
            ("postgresql://kassa:s3cret@a:1,b:2/t?target_session_attrs=any", "postgres://kassa@a:1,b:2/t"),
            ("postgres://kassa@%2Frun%2Fpg/t?password=s3cret", "postgres://kassa@/run/pg:5432/t"),
            ("postgres://kassa:s3cret@db", "postgres://kassa@db:5432/kassa"),
        ] {
            let url = url(text).unwrap();
            assert_eq!((url.to_string(), format!("{url:?}")), (shown.to_owned(), shown.to_owned()), "{text}");
        }
    }

    #[test]
    fn each_sslmode_is_understood() {
        let (file, system) = (TrustedRoots::File("/ca.pem".into()), TrustedRoots::System);
        for (query, security, roots, driver) in [
            ("", TlsMode::Prefer, &system, SslMode::Prefer),
            ("?sslmode=disable", TlsMode::Disable, &system, SslMode::Disable),
            ("?sslmode=prefer", TlsMode::Prefer, &system, SslMode::Prefer),
            ("?sslmode=require", TlsMode::Require, &system, SslMode::Require),
            ("?sslmode=require&sslrootcert=/ca.pem", TlsMode::VerifyCa, &file, SslMode::Require),
            ("?sslrootcert=%2Fca.pem&sslmode=verify-ca", TlsMode::VerifyCa, &file, SslMode::Require),
            ("?sslmode=verify-full&connect_timeout=2", TlsMode::VerifyFull, &system, SslMode::Require),
            ("?sslmode=verify-full&sslrootcert=system", TlsMode::VerifyFull, &system, SslMode::Require),
        ] {
            let url = url(&format!("postgres://kassa@db/t{query}")).unwrap();
            assert_eq!((url.security, &url.roots, url.config.get_ssl_mode()), (security, roots, driver), "{query}");
        }
    }

    #[test]
    fn another_server_of_a_database_is_reached_as_secretly_as_the_url_says() {
        for (text, shown, driver) in [
            ("postgres://kassa:s3cret@%2Frun%2Fpg/t?sslmode=verify-full", "postgres://kassa@w:6/t", SslMode::Require),
            ("postgres://kassa@a:1,b:2/t?sslmode=disable", "postgres://kassa@w:6/t", SslMode::Disable),
        ] {
            let (url, other) = (url(text).unwrap(), url(text).unwrap().at("w", 6));
            assert_eq!((other.to_string().as_str(), other.config.get_ssl_mode()), (shown, driver), "{text}");
            assert_eq!(other.config.get_password(), url.config.get_password(), "{text}");
            assert_eq!(other.security, url.security, "{text}");
        }
    }

    #[test]
    fn programs_of_postgresql_are_told_the_same() {
        let told = |text: &str| -> Vec<String> {
            let variables = url(text).unwrap().client_environment();
            variables.iter().map(|(name, value)| format!("{name}={}", value.display())).collect()
        };
        let several = told("postgres://ann:s3%40cret@a:1,b:2/t?sslmode=verify-full&options=-c%20search_path%3Dx");
        for expected in [
            "PGHOST=a,b",
            "PGPORT=1,2",
            "PGUSER=ann",
            "PGDATABASE=t",
            "PGPASSWORD=s3@cret",
            "PGOPTIONS=-c search_path=x",
            "PGSSLMODE=verify-full",
            "PGSSLROOTCERT=system",
            "PGTARGETSESSIONATTRS=read-write",
            "PGCONNECT_TIMEOUT=3",
        ] {
            assert!(several.iter().any(|variable| variable == expected), "{expected}: {several:?}");
        }
        let local = told("postgres://kassa@%2Frun%2Fpg?sslmode=verify-ca&sslrootcert=/ca.pem");
        for expected in ["PGHOST=/run/pg", "PGDATABASE=kassa", "PGSSLMODE=verify-ca", "PGSSLROOTCERT=/ca.pem"] {
            assert!(local.iter().any(|variable| variable == expected), "{expected}: {local:?}");
        }
        assert!(!local.iter().any(|variable| variable.starts_with("PGPASSWORD")), "{local:?}");
    }

    #[test]
    fn an_invalid_url_is_reported_without_its_password() {
        for (text, reason) in [
            ("mysql://kassa:s3cret@db/t", "postgres://"),
            ("postgres://kassa:s3cret@db/t?sslmode=allow", "sslmode"),
            ("postgres://kassa:s3cret@db/t?sslkey=k", "clients"),
            ("postgres://kassa:s3cret@db/t?nonsense=1", "nonsense"),
            ("postgres://kassa:s3cret@db:port/t", "port"),
            ("postgres:///t", "host"),
            ("postgres://db/t", "user"),
        ] {
            let error = url(text).unwrap_err();
            assert!(error.contains(reason) && !error.contains("s3cret"), "{text}: {error}");
        }
    }
}
