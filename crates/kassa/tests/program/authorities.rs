//! A machine that trusts no certificate authority, such as an empty container: the server starts there, and what needs one
//! says what to install.

use std::path::Path;
use std::process::Command;

use crate::buyers::request_order;
use crate::commands::{kassa_serve, run_command};
use crate::sale::Sale;
use crate::server::Server;

/// `kassa serve` where nobody is trusted.
fn serve_without_authorities(data: &Path) -> Command {
    let mut command = kassa_serve(data);
    command.env("SSL_CERT_FILE", "/dev/null");
    command
}

#[test]
fn a_server_that_needs_no_authority_starts_without_any() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&str, &[&str]); 3] = [
        ("plain", &[]),
        ("cards", &["--currency", "EUR"]),
        ("bucket", &["--files", "s3://tickets", "--s3-endpoint", "http://127.0.0.1:1"]),
    ];
    for (name, flags) in cases {
        let mut serve = serve_without_authorities(&folder.path().join(name));
        serve.env("KASSA_S3_ACCESS_KEY", "key").env("KASSA_S3_SECRET_KEY", "secret").args(flags);
        let server = Server::run(&mut serve);
        let sale = Sale::open(&server, 10);
        request_order(&sale.client(&server), &sale, 1, true).unwrap().success_body();
        let told = server.log().iter().filter(|line| line.contains("ca-certificates")).count();
        assert_eq!(told, 1, "{name}: {:?}", server.log());
        server.stop();
    }
    let server = Server::start(&folder.path().join("trusting"));
    assert!(!server.log().iter().any(|line| line.contains("ca-certificates")), "{:?}", server.log());
    server.stop();
}

#[test]
fn what_needs_an_authority_says_what_to_install() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let named = ["ca-certificates", "SSL_CERT_FILE"];
    let fails = |change: &dyn Fn(&mut Command)| {
        let mut serve = serve_without_authorities(&data);
        // The sentence, and no warning before it.
        change(serve.args(["--log", "error"]));
        run_command(&mut serve, "").assert_failed_naming(&named);
    };
    fails(&|serve| _ = serve.args(["--smtp-host", "mail.example.org", "--mail-from", "tickets@example.org"]));
    fails(&|serve| {
        serve.env("KASSA_S3_ACCESS_KEY", "key").env("KASSA_S3_SECRET_KEY", "secret").args(["--files", "s3://tickets"]);
    });
    fails(&|serve| _ = serve.env("KASSA_DATABASE", "postgres://kassa@127.0.0.1:1/kassa?sslmode=verify-full"));
}
