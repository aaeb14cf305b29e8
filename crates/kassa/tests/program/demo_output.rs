//! What `kassa demo` prints, as its reader takes it.

use std::process::{Command, Stdio};

use serde_json::json;

use crate::client::{Client, HttpResponse};
use crate::commands::run_command;
use crate::server::Server;
use crate::waiting::wait_for;

/// The last line of it.
const LAST_LINE_END: &str = "tickets{serial,number,barcode}";

/// What a demo has printed.
pub(crate) struct DemoOutput {
    url: String,
    lines: Vec<String>,
}

/// A partner, as it is printed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PrintedPartner {
    pub(crate) name: String,
    pub(crate) role: String,
    pub(crate) email: String,
    pub(crate) key: String,
}

/// A command that was printed, and how it went.
#[derive(Debug)]
pub(crate) struct CommandRun {
    pub(crate) command: String,
    pub(crate) output: String,
    pub(crate) status: i32,
}

impl DemoOutput {
    #[track_caller]
    pub(crate) fn read(server: &Server) -> Self {
        let whole = |lines: &Vec<String>| lines.iter().any(|line| line.contains(LAST_LINE_END));
        let lines = wait_for("it has printed all", || Some(server.output()).filter(whole));
        Self { url: server.url.clone(), lines }
    }

    /// All of it, but for where the server and the site of somebody else listen.
    pub(crate) fn without_url(&self) -> String {
        self.lines.join("\n").replace(&self.url, "[url]").replace(&self.site_url(), "[site]")
    }

    /// The address of the site that sells from elsewhere.
    pub(crate) fn site_url(&self) -> String {
        let line = self.lines.iter().find_map(|line| line.strip_prefix("  Widget     ")).unwrap();
        line.split_whitespace().next().unwrap().trim_end_matches('/').to_owned()
    }

    /// The partners, each of which is a line with an e-mail.
    pub(crate) fn partners(&self) -> Vec<PrintedPartner> {
        let row = |line: &String| {
            let mut cells = line.strip_prefix("  ")?.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
            let mut cell = || Some(cells.next()?.to_owned());
            let partner = PrintedPartner { name: cell()?, role: cell()?, email: cell()?, key: cell()? };
            partner.email.contains('@').then_some(partner)
        };
        self.lines.iter().filter_map(row).collect()
    }

    /// Somebody who has logged in as the user of a partner.
    #[track_caller]
    pub(crate) fn log_in(&self, partner: &PrintedPartner) -> Client {
        let after = |line: &String| Some(line.split_once("the password ")?.1.split(';').next()?.to_owned());
        let password = self.lines.iter().find_map(after).unwrap();
        let credentials = json!({"email": partner.email, "password": password});
        let answer: HttpResponse = Client::anonymous(&self.url).post("/v1/services/whoami", &credentials);
        assert_eq!(answer.status, 200, "{partner:?}: {answer:?}");
        Client::with_cookie_of(&self.url, &answer)
    }

    /// Paths of the pages that it names.
    pub(crate) fn page_paths(&self) -> Vec<String> {
        let rows = self.lines.iter().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        rows.filter_map(|line| Some(line.split_once(&self.url)?.1.to_owned())).collect()
    }

    /// Pastes every command into one shell, one after another. A refusal by the server is a failure.
    #[track_caller]
    pub(crate) fn run_all_commands(&self) -> Vec<CommandRun> {
        const MARK: &str = "=== tried: ";
        let commands = self.commands();
        assert!(commands.len() > 2, "{:?}", self.lines);
        let pasted = commands.iter().map(|command| format!("{command}\nprintf '\\n{MARK}%s\\n' $?\n"));
        let strict = "set -o pipefail\ncurl() { command curl --fail-with-body \"$@\"; }\n".to_owned();
        let script: String = std::iter::once(strict).chain(pasted).collect();
        let mut bash = Command::new("bash");
        let path = std::env::var_os("PATH").unwrap();
        bash.env_clear().env("PATH", path).stdout(Stdio::piped()).stderr(Stdio::piped());
        let ended = run_command(&mut bash, &script);
        let (mut tried, mut output) = (Vec::new(), String::new());
        for line in ended.stdout.lines() {
            if let Some(status) = line.strip_prefix(MARK) {
                let command = commands[tried.len()].clone();
                tried.push(CommandRun {
                    command,
                    output: std::mem::take(&mut output),
                    status: status.parse().unwrap(),
                });
            } else {
                output.push_str(line.trim_end());
                output.push('\n');
            }
        }
        assert_eq!(tried.len(), commands.len(), "{ended:?}");
        tried
    }

    /// Commands begin with four blanks; those without a line in between belong together.
    fn commands(&self) -> Vec<String> {
        let blocks = self.lines.split(|line| !line.starts_with("    ")).filter(|block| !block.is_empty());
        let text = |block: &[String]| block.iter().map(|line| &line[4..]).collect::<Vec<_>>().join("\n");
        blocks.map(text).collect()
    }
}
