//! `kassa admin`: users, partners and keys, beside the server or without one. Each command prints
//! JSON, one object a line.

use std::io::Read as _;

use clap::{Args, Subcommand, ValueEnum};
use kassa_domain::key::{ApiKey, KeyId, UpdateKey};
use kassa_domain::mail::Mail;
use kassa_domain::partner::{CreatePartner, Partner, PartnerId, PartnerPatch, Role};
use kassa_domain::user::{ConfirmEmail, Email, User};
use kassa_domain::{Actor, Needs, Patch, Timestamp};
use kassa_engine::accounts::Registration;
use kassa_engine::{Engine, Failure};
use kassa_store::Slice;
use kassa_store::queries::{KeysFilter, MailsFilter, PartnersFilter, UsersFilter};
use serde_json::{Value, json};

use crate::config::Place;
use crate::installation::{self, Fatal};

/// Flags of `kassa admin`.
#[derive(Debug, Args)]
pub(crate) struct AdminArguments {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Makes a user. The password is read from standard input.
    CreateUser {
        /// The e-mail.
        email: Email,
        /// Notes that the e-mail is known to be the user's.
        #[arg(long)]
        confirmed: bool,
    },
    /// Makes a partner that a user manages.
    CreatePartner {
        /// The name.
        name: String,
        /// The e-mail of the user.
        #[arg(long)]
        user: Email,
        /// What it does; may be repeated.
        #[arg(long, value_enum)]
        role: Vec<RoleName>,
    },
    /// Makes an API key of a partner and prints it.
    CreateKey {
        /// The partner's id.
        partner: PartnerId,
        /// The key's label.
        #[arg(long, default_value = "admin")]
        name: String,
    },
    /// Lists users, partners, the keys of a partner (without their secrets), or mails that were not
    /// sent.
    List {
        #[command(subcommand)]
        what: Listed,
    },
    /// Removes an API key. A running server refuses it within five seconds.
    RevokeKey {
        /// The key's id.
        key: KeyId,
    },
    /// Sets the password of a user; it is read from standard input.
    SetPassword {
        /// The e-mail.
        email: Email,
    },
    /// Notes that an e-mail is its user's, as the link in the mail does.
    ConfirmEmail {
        /// The e-mail.
        email: Email,
    },
}

#[derive(Debug, Subcommand)]
enum Listed {
    /// All users.
    Users,
    /// All partners.
    Partners,
    /// The keys of a partner, removed ones included.
    Keys {
        /// The partner's id.
        partner: PartnerId,
    },
    /// Mails that wait to be sent, and those that were given up.
    Mails,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RoleName {
    /// Organizes events.
    Org,
    /// Sells tickets of others.
    Agent,
}

/// Runs one task on the installation.
pub(crate) async fn run(arguments: AdminArguments) -> Result<(), Fatal> {
    let installation = installation::open_beside(&arguments.place).await?;
    let result = perform(&installation.engine, arguments.task).await;
    installation.engine.close().await;
    result
}

async fn perform(engine: &Engine, task: Task) -> Result<(), Fatal> {
    match task {
        Task::CreateUser { email, confirmed } => {
            let password = read_password()?;
            let registration = Registration { email, password, first_name: None, last_name: None };
            let mut user = engine.register(&Actor::Operator, registration).await?;
            if confirmed {
                user = confirm(engine, &user).await?;
            }
            print(&user_json(&user));
        }
        Task::CreatePartner { name, user, role } => {
            let manager = user_by(engine, &user).await?.id;
            let roles = role.into_iter().map(|role| match role {
                RoleName::Org => Role::Org,
                RoleName::Agent => Role::Agent,
            });
            let patch =
                PartnerPatch { name: Patch::Set(name), roles: Patch::Set(roles.collect()), ..PartnerPatch::default() };
            let command = CreatePartner { manager, patch };
            let partner = engine.execute(&Actor::Operator, command, |_, partner| partner.clone()).await?;
            print(&partner_json(&partner));
        }
        Task::CreateKey { partner, name } => {
            let show = |key: &ApiKey, token: &str| {
                let mut shown = key_json(key);
                shown["key"] = token.into();
                shown
            };
            print(&engine.create_key(&Actor::Operator, partner, name, show).await?);
        }
        Task::List { what } => list(engine, what).await?,
        Task::RevokeKey { key } => {
            let view = engine.view(&Needs { keys: vec![key], ..Needs::default() }).await?;
            let partner = view.keys.get(key).ok_or_else(|| format!("there is no key {key}"))?.partner;
            let command = UpdateKey { partner, key, name: None, remove: true };
            print(&engine.update_key(&Actor::Operator, command, key_json).await?);
        }
        Task::SetPassword { email } => {
            let user = user_by(engine, &email).await?.id;
            print(&user_json(&engine.set_password(user, read_password()?).await?));
        }
        Task::ConfirmEmail { email } => {
            let user = user_by(engine, &email).await?;
            print(&user_json(&confirm(engine, &user).await?));
        }
    }
    Ok(())
}

async fn confirm(engine: &Engine, user: &User) -> Result<User, Failure> {
    let command = ConfirmEmail { user: user.id, email: user.email.clone(), password: None };
    engine.execute(&Actor::Operator, command, |_, user| user.clone()).await
}

async fn list(engine: &Engine, what: Listed) -> Result<(), Fatal> {
    /// Rows that are read at a time.
    const PAGE: u32 = 1_000;
    for page in 0.. {
        let slice = Slice { limit: PAGE, offset: page * u64::from(PAGE), count: false };
        let items: Vec<Value> = match &what {
            Listed::Users => engine.page(UsersFilter, slice).await?.rows.iter().map(user_json).collect(),
            Listed::Partners => {
                engine.page(PartnersFilter::default(), slice).await?.rows.iter().map(partner_json).collect()
            }
            Listed::Keys { partner } => {
                let filter = KeysFilter { partner: *partner, ids: None, removed: true };
                engine.page(filter, slice).await?.rows.iter().map(key_json).collect()
            }
            Listed::Mails => engine.page(MailsFilter, slice).await?.rows.iter().map(mail_json).collect(),
        };
        items.iter().for_each(print);
        if items.len() < PAGE as usize {
            break;
        }
    }
    Ok(())
}

async fn user_by(engine: &Engine, email: &Email) -> Result<User, Fatal> {
    let view = engine.view(&Needs { emails: vec![email.clone()], ..Needs::default() }).await?;
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

fn print(item: &Value) {
    println!("{item}");
}

fn user_json(user: &User) -> Value {
    json!({
        "id": user.id,
        "email": user.email.as_str(),
        "has_account": user.password().is_some(),
        "confirmed": user.confirmed(),
    })
}

fn partner_json(partner: &Partner) -> Value {
    json!({ "id": partner.id, "name": partner.name, "roles": partner.about.roles })
}

fn key_json(key: &ApiKey) -> Value {
    json!({ "id": key.id, "name": key.name, "partner": key.partner, "removed": key.removed })
}

/// A time as `2026-01-31T20:00:00Z`.
fn shown(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.ms()).unwrap_or_default().to_string()
}

fn mail_json(mail: &Mail) -> Value {
    json!({
        "id": mail.id,
        "to": mail.to.as_str(),
        "letter": mail.letter.name(),
        "state": mail.state.name(),
        "attempts": mail.attempts,
        "error": mail.error,
        "created_at": shown(mail.created_at),
        "due_at": shown(mail.due_at),
    })
}
