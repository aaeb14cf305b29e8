//! `kassa admin`: users, partners and keys, beside the server or without one. Each command prints
//! JSON, one object a line.

use std::io::Read as _;

use clap::{Args, Subcommand, ValueEnum};
use kassa_domain::api_key::{ApiKey, ApiKeyId, UpdateApiKey};
use kassa_domain::mail::Mail;
use kassa_domain::partner::{CreatePartner, Partner, PartnerId, PartnerPatch, PartnerProfilePatch, PartnerRole};
use kassa_domain::user::{ConfirmEmail, Email, User};
use kassa_domain::{Actor, Patch, ReadSet, Timestamp};
use kassa_engine::accounts::Registration;
use kassa_engine::{Engine, Failure};
use kassa_store::PageWindow;
use kassa_store::queries::{ApiKeysFilter, PartnersFilter, UnsentMailsFilter, UsersFilter};
use serde_json::{Value, json};

use crate::config::InstallationArguments;
use crate::error::Fatal;
use crate::installation;

/// Flags of `kassa admin`.
#[derive(Debug, Args)]
pub(crate) struct AdminArguments {
    #[command(flatten)]
    installation: InstallationArguments,
    #[command(subcommand)]
    command: AdminCommand,
}

#[derive(Debug, Subcommand)]
enum AdminCommand {
    /// Creates a user. The password is read from standard input.
    CreateUser {
        /// The e-mail.
        email: Email,
        /// Marks the e-mail as confirmed.
        #[arg(long)]
        confirmed: bool,
    },
    /// Creates a partner managed by a user.
    CreatePartner {
        /// The name.
        name: String,
        /// The e-mail of the user.
        #[arg(long)]
        user: Email,
        /// Role of the partner; may be repeated.
        #[arg(long, value_enum)]
        role: Vec<RoleName>,
    },
    /// Creates an API key for a partner and prints it.
    CreateKey {
        /// The partner's id.
        partner: PartnerId,
        /// The key's label.
        #[arg(long, default_value = "admin")]
        name: String,
    },
    /// Lists users, partners, the keys of a partner (without their secrets), or unsent mails.
    List {
        #[command(subcommand)]
        what: ListTarget,
    },
    /// Revokes an API key. A running server rejects it within five seconds.
    RevokeKey {
        /// The key's id.
        key: ApiKeyId,
    },
    /// Sets the password of a user; it is read from standard input.
    SetPassword {
        /// The e-mail.
        email: Email,
    },
    /// Confirms an e-mail, as the link in the mail does.
    ConfirmEmail {
        /// The e-mail.
        email: Email,
    },
}

#[derive(Debug, Subcommand)]
enum ListTarget {
    /// All users.
    Users,
    /// All partners.
    Partners,
    /// The keys of a partner, including revoked ones.
    Keys {
        /// The partner's id.
        partner: PartnerId,
    },
    /// Mails waiting to be sent, and those that were given up.
    Mails,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RoleName {
    /// Organizes events.
    Org,
    /// Sells tickets of other organizers.
    Agent,
}

/// Runs one task on the installation.
pub(crate) async fn run(arguments: AdminArguments) -> Result<(), Fatal> {
    let installation = installation::open_alongside_server(&arguments.installation).await?;
    let result = execute(&installation.engine, arguments.command).await;
    installation.engine.close().await;
    result
}

async fn execute(engine: &Engine, task: AdminCommand) -> Result<(), Fatal> {
    match task {
        AdminCommand::CreateUser { email, confirmed } => {
            let password = read_password()?;
            let registration = Registration { email, password, first_name: None, last_name: None };
            let mut user = engine.register(&Actor::Operator, registration).await?;
            if confirmed {
                user = confirm_email(engine, &user).await?;
            }
            print_json(&user_json(&user));
        }
        AdminCommand::CreatePartner { name, user, role } => {
            let manager = find_user(engine, &user).await?.id;
            let roles = role.into_iter().map(|role| match role {
                RoleName::Org => PartnerRole::Organizer,
                RoleName::Agent => PartnerRole::Agent,
            });
            let profile = PartnerProfilePatch { roles: Patch::Set(roles.collect()), ..PartnerProfilePatch::default() };
            let patch = PartnerPatch { name: Patch::Set(name), profile, ..PartnerPatch::default() };
            let command = CreatePartner { manager, patch };
            let partner = engine.execute(&Actor::Operator, command, |_, partner| partner.clone()).await?;
            print_json(&partner_json(&partner));
        }
        AdminCommand::CreateKey { partner, name } => {
            let show = |key: &ApiKey, token: &str| {
                let mut shown = key_json(key);
                shown["key"] = token.into();
                shown
            };
            print_json(&engine.create_key(&Actor::Operator, partner, name, show).await?);
        }
        AdminCommand::List { what } => list(engine, what).await?,
        AdminCommand::RevokeKey { key } => {
            let view = engine.view(&ReadSet { keys: vec![key], ..ReadSet::default() }).await?;
            let partner = view.keys.get(key).ok_or_else(|| format!("there is no key {key}"))?.partner;
            let command = UpdateApiKey { partner, key, name: None, remove: true };
            print_json(&engine.update_key(&Actor::Operator, command, key_json).await?);
        }
        AdminCommand::SetPassword { email } => {
            let user = find_user(engine, &email).await?.id;
            print_json(&user_json(&engine.set_password(user, read_password()?).await?));
        }
        AdminCommand::ConfirmEmail { email } => {
            let user = find_user(engine, &email).await?;
            print_json(&user_json(&confirm_email(engine, &user).await?));
        }
    }
    Ok(())
}

async fn confirm_email(engine: &Engine, user: &User) -> Result<User, Failure> {
    let command = ConfirmEmail { user: user.id, email: user.email.clone(), password_hash: None };
    engine.execute(&Actor::Operator, command, |_, user| user.clone()).await
}

async fn list(engine: &Engine, what: ListTarget) -> Result<(), Fatal> {
    /// Rows that are read at a time.
    const PAGE: u32 = 1_000;
    for page in 0.. {
        let slice = PageWindow { limit: PAGE, offset: page * u64::from(PAGE), with_total: false };
        let items: Vec<Value> = match &what {
            ListTarget::Users => engine.page(UsersFilter, slice).await?.rows.iter().map(user_json).collect(),
            ListTarget::Partners => {
                engine.page(PartnersFilter::default(), slice).await?.rows.iter().map(partner_json).collect()
            }
            ListTarget::Keys { partner } => {
                let filter = ApiKeysFilter { partner: *partner, ids: None, include_removed: true };
                engine.page(filter, slice).await?.rows.iter().map(key_json).collect()
            }
            ListTarget::Mails => engine.page(UnsentMailsFilter, slice).await?.rows.iter().map(mail_json).collect(),
        };
        items.iter().for_each(print_json);
        if items.len() < PAGE as usize {
            break;
        }
    }
    Ok(())
}

async fn find_user(engine: &Engine, email: &Email) -> Result<User, Fatal> {
    let view = engine.view(&ReadSet { users_by_email: vec![email.clone()], ..ReadSet::default() }).await?;
    Ok(view.user_by_email(email).cloned().ok_or_else(|| format!("there is no user {email}"))?)
}

/// A password from standard input, up to the end of its first line: it is on no command line.
fn read_password() -> Result<String, Fatal> {
    let mut text = String::new();
    std::io::stdin().take(4_096).read_to_string(&mut text)?;
    let password = text.lines().next().unwrap_or_default();
    if !(8..=128).contains(&password.chars().count()) {
        return Err("the password, on standard input, must have 8 to 128 characters".into());
    }
    Ok(password.to_owned())
}

fn print_json(item: &Value) {
    println!("{item}");
}

fn user_json(user: &User) -> Value {
    json!({
        "id": user.id,
        "email": user.email.as_str(),
        "has_account": user.password_hash().is_some(),
        "confirmed": user.is_email_confirmed(),
    })
}

fn partner_json(partner: &Partner) -> Value {
    json!({ "id": partner.id, "name": partner.name, "roles": partner.profile.roles })
}

fn key_json(key: &ApiKey) -> Value {
    json!({ "id": key.id, "name": key.name, "partner": key.partner, "removed": key.removed })
}

/// A time as `2026-01-31T20:00:00Z`.
fn format_time(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.ms()).unwrap_or_default().to_string()
}

fn mail_json(mail: &Mail) -> Value {
    json!({
        "id": mail.id,
        "to": mail.to.as_str(),
        "letter": mail.content.name(),
        "state": mail.state.name(),
        "attempts": mail.attempts,
        "error": mail.error,
        "created_at": format_time(mail.created_at),
        "due_at": format_time(mail.due_at),
    })
}
