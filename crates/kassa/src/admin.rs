//! `kassa admin`: users, partners and keys, beside the server or without one. Each command prints
//! JSON, one object a line.

use std::io::Read as _;

use clap::{Args, Subcommand, ValueEnum};
use kassa_domain::api_key::{ApiKey, ApiKeyId, UpdateApiKey};
use kassa_domain::invitation::{Invitation, InviteToRegister};
use kassa_domain::mail::Mail;
use kassa_domain::partner::{
    CreatePartner, Partner, PartnerId, PartnerPatch, PartnerProfilePatch, PartnerRole, RestorePartner,
    SetPartnerQuotas, SuspendPartner,
};
use kassa_domain::suspension::Suspension;
use kassa_domain::user::{Email, RestoreUser, SetOperator, SuspendUser, User};
use kassa_domain::{Actor, Patch, ReadSet, Timestamp};
use kassa_engine::accounts::{NewApiKey, Registration};
use kassa_engine::{Engine, REVOCATION_DELAY_MAX};
use kassa_store::queries::{ApiKeysFilter, PartnersFilter, UnsentMailsFilter, UsersFilter};
use kassa_store::{Filter, PageWindow, RowCount};
use serde_json::{Value, json};

use crate::config::InstallationArguments;
use crate::error::Fatal;
use crate::installation;
use crate::quotas::{QuotaArguments, QuotaException};
use crate::usage::{self, UsageArguments};

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
    #[command(flatten)]
    Task(AdminTask),
    /// Shows how much partners store, against their quotas: first those that have used the most of one. What all partners
    /// may store is as `kassa serve` has it if this command is given the same `--quota` or `KASSA_QUOTAS`.
    Usage(UsageArguments),
}

#[derive(Debug, Subcommand)]
enum AdminTask {
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
        /// What the feed of changes shows it besides what it shows all keys; may be repeated.
        #[arg(long, value_enum)]
        scope: Vec<ScopeName>,
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
    /// Allows a partner other amounts than all may store, and shows what it stores. A running server obeys at once.
    Quota {
        /// The partner's id.
        partner: PartnerId,
        /// How much of a kind, as `attachment_bytes=1000000`; `default` for what all may store.
        #[arg(value_name = "KIND=NUMBER", required = true)]
        changes: Vec<QuotaException>,
        #[command(flatten)]
        quotas: QuotaArguments,
    },
    /// Invites an e-mail to register, where registration is by invitation; a mail says so, if mails are sent.
    Invite {
        /// The e-mail.
        email: Email,
    },
    /// Says who runs the platform: these users see all partners in the console, and suspend them.
    Operator {
        #[command(subcommand)]
        task: OperatorTask,
    },
    #[command(flatten)]
    Suspension(SuspensionTask),
    /// Confirms an e-mail, and says which account that opens, and with which password.
    ConfirmEmail {
        /// The e-mail.
        email: Email,
        /// Sets a password, which is read from standard input, and ends all sessions: whoever registered the e-mail
        /// may not be its owner.
        #[arg(long)]
        set_password: bool,
    },
    /// Removes the second factor of a user who has lost it. The password stays.
    RemoveSecondFactor {
        /// The e-mail.
        email: Email,
    },
}

#[derive(Debug, Subcommand)]
enum SuspensionTask {
    /// Suspends a partner: nobody acts for it, and its events are not on sale. Ends when every server knows, after five
    /// seconds.
    SuspendPartner {
        /// The partner's id.
        partner: PartnerId,
        /// A note on why.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Restores a partner that was suspended or removed.
    RestorePartner {
        /// The partner's id.
        partner: PartnerId,
    },
    /// Suspends a user: it cannot log in, and its sessions are refused. Ends when every server knows, after five
    /// seconds.
    SuspendUser {
        /// The e-mail.
        email: Email,
        /// A note on why.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Restores a suspended user.
    RestoreUser {
        /// The e-mail.
        email: Email,
    },
}

#[derive(Debug, Subcommand)]
enum OperatorTask {
    /// Makes a user an operator, at once.
    Add {
        /// The e-mail of an account.
        email: Email,
    },
    /// Makes a user an operator no longer. Ends when every server knows, after five seconds.
    Remove {
        /// The e-mail.
        email: Email,
    },
    /// Lists the operators.
    List,
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

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ScopeName {
    /// The data of customers and visitors.
    Customers,
}

/// Runs one task on the installation.
pub(crate) async fn run(arguments: AdminArguments) -> Result<(), Fatal> {
    match arguments.command {
        AdminCommand::Task(task) => {
            let installation = installation::open_alongside_server(&arguments.installation).await?;
            let result = execute(&installation.engine, task).await;
            installation.engine.close().await;
            result
        }
        AdminCommand::Usage(usage) => {
            usage::run(&installation::open_read_only(&arguments.installation).await?, &usage).await
        }
    }
}

async fn execute(engine: &Engine, task: AdminTask) -> Result<(), Fatal> {
    match task {
        AdminTask::CreateUser { email, confirmed } => {
            let password = read_password()?;
            let registration = Registration { email, password: password.clone(), first_name: None, last_name: None };
            let mut user = engine.register(&Actor::Operator, registration).await?;
            if confirmed {
                user = engine.confirm_email_as_operator(&user, Some(password)).await?;
            }
            print_json(&user_json(&user));
        }
        AdminTask::CreatePartner { name, user, role } => {
            print_json(&partner_json(&create_partner(engine, name, &user, role).await?));
        }
        AdminTask::CreateKey { partner, name, scope } => {
            let show = |key: &ApiKey, token: &str| {
                let mut shown = key_json(key);
                shown["key"] = token.into();
                shown
            };
            let has_customers = scope.iter().any(|scope| matches!(scope, ScopeName::Customers));
            let new = NewApiKey { partner, name, has_customers };
            print_json(&engine.create_key(&Actor::Operator, new, show).await?);
        }
        AdminTask::List { what } => list(engine, what).await?,
        AdminTask::RevokeKey { key } => {
            let view = engine.view(&ReadSet { keys: vec![key], ..ReadSet::default() }).await?;
            let partner = view.keys.get(key).ok_or_else(|| format!("there is no key {key}"))?.partner;
            let command = UpdateApiKey { partner, key, name: None, remove: true };
            print_json(&engine.update_key(&Actor::Operator, command, key_json).await?);
        }
        AdminTask::SetPassword { email } => {
            let user = find_user(engine, &email).await?.id;
            print_json(&user_json(&engine.set_password(user, read_password()?).await?));
        }
        AdminTask::Quota { partner, changes, quotas } => {
            let changes = changes.iter().map(|change| (change.kind, change.amount)).collect();
            let command = SetPartnerQuotas { partner, quotas: changes };
            let partner = engine.execute(&Actor::Operator, command, |_, partner| partner.clone()).await?;
            print_json(&usage::usage_json(&partner, &quotas.quotas()));
        }
        AdminTask::Invite { email } => {
            let command = InviteToRegister { email };
            let invitation = engine.execute(&Actor::Operator, command, |_, invitation| invitation.clone()).await?;
            print_json(&invitation_json(&invitation));
        }
        AdminTask::Operator { task } => change_operators(engine, task).await?,
        AdminTask::Suspension(task) => change_suspension(engine, task).await?,
        AdminTask::ConfirmEmail { email, set_password } => {
            let user = find_user(engine, &email).await?;
            let password = set_password.then(read_password).transpose()?;
            say_what_opens(&user, set_password);
            print_json(&user_json(&engine.confirm_email_as_operator(&user, password).await?));
        }
        AdminTask::RemoveSecondFactor { email } => {
            let user = find_user(engine, &email).await?.id;
            print_json(&user_json(&engine.take_second_factor_away(user).await?));
        }
    }
    Ok(())
}

async fn change_operators(engine: &Engine, task: OperatorTask) -> Result<(), Fatal> {
    let (email, is_operator) = match task {
        OperatorTask::Add { email } => (email, true),
        OperatorTask::Remove { email } => (email, false),
        OperatorTask::List => {
            for user in engine.select(|user: &User| user.operator_since.is_some()).await? {
                print_json(&user_json(&user));
            }
            return Ok(());
        }
    };
    let command = SetOperator { user: find_user(engine, &email).await?.id, is_operator };
    let user = engine.change_access(&Actor::Operator, command).await?;
    if !is_operator {
        wait_for_servers().await;
    }
    print_json(&user_json(&user));
    Ok(())
}

async fn change_suspension(engine: &Engine, task: SuspensionTask) -> Result<(), Fatal> {
    match task {
        SuspensionTask::SuspendPartner { partner, reason } => {
            let partner = engine.change_access(&Actor::Operator, SuspendPartner { partner, reason }).await?;
            wait_for_servers().await;
            print_json(&partner_json(&partner));
        }
        SuspensionTask::RestorePartner { partner } => {
            print_json(&partner_json(&engine.change_access(&Actor::Operator, RestorePartner { partner }).await?));
        }
        SuspensionTask::SuspendUser { email, reason } => {
            let user = find_user(engine, &email).await?.id;
            let user = engine.change_access(&Actor::Operator, SuspendUser { user, reason }).await?;
            wait_for_servers().await;
            print_json(&user_json(&user));
        }
        SuspensionTask::RestoreUser { email } => {
            let user = find_user(engine, &email).await?.id;
            print_json(&user_json(&engine.change_access(&Actor::Operator, RestoreUser { user }).await?));
        }
    }
    Ok(())
}

async fn create_partner(engine: &Engine, name: String, user: &Email, role: Vec<RoleName>) -> Result<Partner, Fatal> {
    let manager = find_user(engine, user).await?.id;
    let roles = role.into_iter().map(|role| match role {
        RoleName::Org => PartnerRole::Organizer,
        RoleName::Agent => PartnerRole::Agent,
    });
    let profile = PartnerProfilePatch { roles: Patch::Set(roles.collect()), ..PartnerProfilePatch::default() };
    let patch = PartnerPatch { name: Patch::Set(name), profile, ..PartnerPatch::default() };
    let command = CreatePartner { manager, patch };
    Ok(engine.execute(&Actor::Operator, command, |_, partner| partner.clone()).await?)
}

/// Writes are refused at once; what other servers have cached is good for their reads until then.
async fn wait_for_servers() {
    tokio::time::sleep(REVOCATION_DELAY_MAX).await;
}

/// Tells the operator whose account a confirmation opens, before it does.
fn say_what_opens(user: &User, sets_password: bool) {
    let (id, email, since) = (user.id, &user.email, format_time(user.registered_at()));
    if sets_password {
        eprintln!("Opens the account {id} of {email}, registered {since}, with the new password; all sessions end.");
    } else if user.is_email_confirmed() {
        eprintln!("The account {id} of {email} is confirmed already.");
    } else if user.waiting_password_hash().is_some() {
        eprintln!(
            "Opens the account {id} of {email} with the password that it has. Somebody registered it once more, {since}: \
             that is forgotten. If you do not know which of both has the address, set another password: --set-password."
        );
    } else {
        eprintln!(
            "Opens the account {id} of {email}, registered {since}, with the password of that registration. If somebody \
             else may have made it, set another one: --set-password."
        );
    }
}

async fn list(engine: &Engine, what: ListTarget) -> Result<(), Fatal> {
    match what {
        ListTarget::Users => print_rows(engine, UsersFilter, user_json).await,
        ListTarget::Partners => print_rows(engine, PartnersFilter::default(), partner_json).await,
        ListTarget::Keys { partner } => {
            print_rows(engine, ApiKeysFilter { partner, ids: None, include_removed: true }, key_json).await
        }
        ListTarget::Mails => print_rows(engine, UnsentMailsFilter, mail_json).await,
    }
}

/// Prints a line for each row that a filter finds.
async fn print_rows<F: Filter + Clone>(engine: &Engine, filter: F, show: fn(&F::Row) -> Value) -> Result<(), Fatal> {
    /// Rows that are read at a time.
    const PAGE: u32 = 1_000;
    for page in 0.. {
        let slice = PageWindow { limit: PAGE, offset: page * u64::from(PAGE), count: RowCount::None };
        let rows = engine.page(filter.clone(), slice).await?.rows;
        for row in &rows {
            print_json(&show(row));
        }
        if rows.len() < PAGE as usize {
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
        "second_factor": user.has_second_factor(),
        "operator": user.operator_since.is_some(),
        "suspension": user.suspension.as_ref().map(suspension_json),
    })
}

fn partner_json(partner: &Partner) -> Value {
    json!({
        "id": partner.id,
        "name": partner.name,
        "roles": partner.profile.roles,
        "removed": partner.removed,
        "suspension": partner.suspension.as_ref().map(suspension_json),
    })
}

fn suspension_json(suspension: &Suspension) -> Value {
    json!({ "since": format_time(suspension.since), "reason": suspension.reason })
}

fn invitation_json(invitation: &Invitation) -> Value {
    json!({ "email": invitation.email.as_str(), "expires_at": format_time(invitation.expires_at) })
}

fn key_json(key: &ApiKey) -> Value {
    let scopes: &[&str] = if key.has_customers { &["customers"] } else { &[] };
    json!({ "id": key.id, "name": key.name, "partner": key.partner, "scopes": scopes, "removed": key.removed })
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
