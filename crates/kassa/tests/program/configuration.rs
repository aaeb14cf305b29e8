//! One configuration file beside flags and the environment.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::commands::{CommandOutput, kassa, kassa_admin, run_command};
use crate::server::Server;

const SECRET: &str = "a secret that is long enough for it";

fn write_file(folder: &Path, text: &str) -> PathBuf {
    let file = folder.join("kassa.toml");
    fs::write(&file, text).unwrap();
    file
}

/// `kassa config …` with this file.
fn config(verb: &str, file: &Path) -> Command {
    let mut command = kassa();
    command.args(["config", verb, "--config"]).arg(file);
    command
}

/// The line of what is shown that is about a setting.
#[track_caller]
fn line_of<'a>(shown: &'a CommandOutput, name: &str) -> &'a str {
    assert!(shown.status.success(), "{shown:?}");
    let is_about = |line: &&str| line.starts_with(&format!("{name} = ")) || line.starts_with(&format!("# {name} is "));
    shown.stdout.lines().find(is_about).unwrap()
}

#[test]
fn a_flag_comes_before_the_environment_and_that_before_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = write_file(folder.path(), "shop-name = 'File'\ncommission = 5\nlimit-log-ins = 'off'\nlog = 'warn'\n");
    let mut show = config("show", &file);
    show.env("KASSA_SHOP_NAME", "Environment").env("KASSA_COMMISSION", "6").args(["--shop-name", "Flag"]);
    let shown = run_command(&mut show, "");
    let expect = |name: &str, value: &str, from: &str| {
        let line = line_of(&shown, name);
        assert!(line.starts_with(&format!("{name} = {value} ")) && line.ends_with(&format!(" # {from}")), "{line}");
    };
    expect("shop-name", "\"Flag\"", "flag");
    expect("commission", "6", "environment");
    expect("limit-log-ins", "\"off\"", &format!("{}:3", file.display()));
    expect("limit-exports", "20", "default");
    expect("allow-test-payments", "false", "default");
    assert_eq!(line_of(&shown, "currency"), "# currency is not set");
}

#[test]
fn what_is_shown_is_a_file_that_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let text = "webhook-allow = ['10.0.0.0/8', 'hooks.internal:8080']\nallow-test-payments = true\nshop-name = 'A \"b\" # c'\n";
    let shown = run_command(&mut config("show", &write_file(folder.path(), text)), "");
    let values = |shown: &CommandOutput| {
        let lines = shown.stdout.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| line.rsplit_once(" # ").unwrap().0.trim_end().to_owned()).collect::<Vec<String>>()
    };
    let again = write_file(folder.path(), &shown.stdout);
    assert!(run_command(&mut config("check", &again), "").status.success());
    let shown_again = run_command(&mut config("show", &again), "");
    assert_eq!(values(&shown_again), values(&shown));
    assert!(values(&shown).contains(&"webhook-allow = [\"10.0.0.0/8\", \"hooks.internal:8080\"]".to_owned()));
    assert!(shown_again.stdout.lines().filter(|line| line.ends_with("# default")).count() == 0, "{shown_again:?}");
}

#[test]
fn secrets_are_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = write_file(folder.path(), "database = 'postgres://kassa:hidden@localhost/kassa'\n");
    let mut show = config("show", &file);
    show.env("KASSA_SECRET", SECRET).env("KASSA_SMTP_PASSWORD", "hidden");
    let shown = run_command(&mut show, "");
    assert!(!shown.stdout.contains("hidden@") && !shown.stdout.contains(SECRET), "{shown:?}");
    assert!(line_of(&shown, "database").ends_with(&format!("# {}:1", file.display())));
    assert!(shown.stdout.contains("# the secret secret is hidden: KASSA_SECRET\n"), "{shown:?}");
    assert!(shown.stdout.contains("# the secret smtp-password is hidden: KASSA_SMTP_PASSWORD\n"), "{shown:?}");
    assert!(shown.stdout.contains("# the secret s3-secret-key is not set\n"), "{shown:?}");
    let help = run_command(kassa().args(["serve", "--help"]).env("KASSA_CONFIG", &file), "");
    assert!(help.stdout.contains("--database") && !help.stdout.contains("hidden@"), "{help:?}");
}

#[test]
fn a_file_of_the_database_that_is_named_comes_before_the_url_of_the_configuration_file() {
    let folder = tempfile::tempdir().unwrap();
    let url = folder.path().join("url");
    fs::write(&url, "no url").unwrap();
    let sqlite = "database = 'postgres://kassa@localhost/kassa'\n";
    let file = write_file(folder.path(), sqlite);
    let checked = |change: &dyn Fn(&mut Command)| {
        let mut check = config("check", &file);
        change(&mut check);
        run_command(&mut check, "")
    };
    let by_flag = checked(&|check| _ = check.arg("--database-file").arg(&url));
    let by_environment = checked(&|check| _ = check.env("KASSA_DATABASE_FILE", &url));
    for ended in [by_flag, by_environment] {
        ended.assert_failed_naming(&["database", "postgres"]);
    }
    let with_both = checked(&|check| {
        check.env("KASSA_DATABASE_FILE", &url).args(["--database", "postgres://kassa@localhost/kassa"]);
    });
    assert!(with_both.status.success(), "{with_both:?}");
    write_file(folder.path(), &format!("{sqlite}database-file = '{}'\n", url.display()));
    assert!(checked(&|_| ()).status.success(), "the URL itself comes first where both are said in one place");
}

#[test]
fn help_and_the_version_are_told_beside_a_file_with_mistakes() {
    let folder = tempfile::tempdir().unwrap();
    let file = write_file(folder.path(), "lisen = 1\n");
    for flags in [&["--version"][..], &["serve", "--help"]] {
        let told = run_command(kassa().args(flags).env("KASSA_CONFIG", &file), "");
        assert!(told.status.success() && told.stderr.is_empty(), "{told:?}");
    }
}

#[test]
fn mistakes_in_the_file_are_named_by_whatever_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let file = write_file(folder.path(), "lisen = '0.0.0.0:80'\njson-bytes-max = '1'\n");
    let name = file.display();
    let expected = format!(
        "kassa: {name}:1: unknown key lisen; the nearest key is listen\n\
         kassa: {name}:2: json-bytes-max must be a number, not a text\n"
    );
    let mut serve = kassa();
    serve.arg("serve").arg("--config").arg(&file).arg("--data").arg(&data);
    let mut by_environment = kassa_admin(&data, ["list", "users"]);
    by_environment.env("KASSA_CONFIG", &file);
    for mut command in [config("check", &file), config("show", &file), serve, by_environment] {
        let ended = run_command(&mut command, "");
        assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(1), expected.as_str()), "{command:?}");
    }
    assert!(!data.exists());
    let missing = folder.path().join("nothing.toml");
    run_command(&mut config("check", &missing), "").assert_failed_naming(&["nothing.toml", "No such file"]);
}

#[test]
fn a_check_finds_settings_that_do_not_go_together() {
    let folder = tempfile::tempdir().unwrap();
    let text = "smtp-host = 'mail.example.org'\nlanes = 3\nlog = 'a=b=c'\nfiles = 's3://tickets'\n\
                http-redirect = '127.0.0.1:80'\npublic-url = 'http://tickets.example.org'\n";
    let file = write_file(folder.path(), text);
    let ended = run_command(config("check", &file).env("KASSA_SECRET", "short"), "");
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    for finding in ["--mail-from", "--lanes 3", "a=b=c", "KASSA_S3_ACCESS_KEY", "at least 32 bytes", "https, not"] {
        assert!(ended.stderr.lines().any(|line| line.starts_with("kassa: ") && line.contains(finding)), "{ended:?}");
    }
    let ended = run_command(&mut config("check", &write_file(folder.path(), "lanes = 1\n")), "");
    assert!(ended.status.success() && ended.stdout.starts_with("the settings are sound: "), "{ended:?}");
}

#[test]
fn a_server_and_its_commands_share_a_file_and_credentials() {
    let folder = tempfile::tempdir().unwrap();
    let (data, credentials) = (folder.path().join("data"), folder.path().join("credentials"));
    fs::create_dir(&credentials).unwrap();
    fs::write(credentials.join("secret"), format!("{SECRET}\n")).unwrap();
    let text = format!("data = '{}'\nlisten = '127.0.0.1:0'\nregistration = 'closed'\n", data.display());
    let file = write_file(folder.path(), &text);
    let with_file = |command: &mut Command| {
        command.env("KASSA_CONFIG", &file).env("CREDENTIALS_DIRECTORY", &credentials);
    };
    let mut serve = kassa();
    with_file(serve.arg("serve"));
    let server = Server::run(&mut serve);
    assert!(data.join("kassa.db").exists() && !data.join("secret").exists());
    let mut create = kassa();
    with_file(create.args(["admin", "create-user", "anna@example.org", "--confirmed"]));
    assert_eq!(run_command(&mut create, "correct horse").json_line()["email"], "anna@example.org");
    server.stop();
    // Without the credential, the secret is missed.
    let mut without = kassa();
    run_command(without.arg("serve").env("KASSA_CONFIG", &file), "").assert_failed_naming(&["secret", "is missing"]);
}

#[test]
fn files_hold_the_url_of_a_database_and_the_keys_of_a_bucket() {
    let folder = tempfile::tempdir().unwrap();
    let url = folder.path().join("url");
    fs::write(&url, "postgres://kassa:hidden@127.0.0.1:1/kassa?connect_timeout=1\n").unwrap();
    let mut serve = kassa();
    serve.arg("serve").arg("--data").arg(folder.path().join("data")).arg("--database-file").arg(&url);
    let ended = run_command(&mut serve, "");
    ended.assert_failed_naming(&["database postgres://kassa", "127.0.0.1"]);
    assert!(!ended.stderr.contains("hidden"), "{ended:?}");
    let keys = folder.path().join("key");
    fs::write(&keys, "a-key\n").unwrap();
    let mut check = config("check", Path::new("/dev/null"));
    check.args(["--files", "s3://tickets", "--s3-access-key-file"]).arg(&keys);
    run_command(&mut check, "").assert_failed_naming(&["KASSA_S3_SECRET_KEY", "--s3-secret-key-file"]);
    assert!(run_command(check.arg("--s3-secret-key-file").arg(&keys), "").status.success());
}

#[test]
fn the_file_of_packages_is_sound_with_all_that_it_suggests() {
    let packaged = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/kassa.toml");
    let ended = run_command(&mut config("check", &packaged), "");
    assert!(ended.status.success(), "{ended:?}");
    // Each suggestion is a setting of that name and kind: what is left are files that are not here.
    let text = fs::read_to_string(&packaged).unwrap();
    let suggested =
        text.lines().map(|line| line.strip_prefix("# ").filter(|line| line.contains(" = ")).unwrap_or(line));
    let text = suggested.collect::<Vec<_>>().join("\n");
    let folder = tempfile::tempdir().unwrap();
    let ended = run_command(&mut config("check", &write_file(folder.path(), &text)), "");
    assert!(!ended.stderr.contains("unknown key") && !ended.stderr.contains(" must be "), "{ended:?}");
    assert!(ended.stderr.contains("/etc/kassa/database"), "{ended:?}");
}
