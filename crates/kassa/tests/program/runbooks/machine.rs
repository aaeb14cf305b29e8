//! The machine that the commands of a runbook are given on: folders of the test in place of those of the system.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::page::Runbook;
use crate::commands::{CommandOutput, kassa, run_command};
use crate::sale::Sale;
use crate::server::Server;

/// Where programs of the system are.
const SYSTEM_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Folders and ports, and the settings of a server on them.
pub(crate) struct Machine {
    folder: TempDir,
    data: PathBuf,
    addresses: [String; 2],
}

impl Machine {
    /// With these lines in the configuration file, besides where the server is.
    pub(crate) fn new(settings: &str) -> Self {
        Self::new_with(|_| settings.to_owned())
    }

    /// The same with lines that name what is in its folder.
    pub(crate) fn new_with(settings: impl FnOnce(&Path) -> String) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (data, settings) = (folder.path().join("data"), settings(folder.path()));
        Self::with_data(folder, data, &settings)
    }

    /// The same with a data folder elsewhere.
    pub(crate) fn with_data(folder: TempDir, data: PathBuf, settings: &str) -> Self {
        let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let addresses = listeners.map(|listener| listener.local_addr().unwrap().to_string());
        let machine = Self { folder, data, addresses };
        for name in ["etc", "run", "bin", "backups", "logs", "work"] {
            fs::create_dir(machine.path(name)).unwrap();
        }
        std::os::unix::fs::symlink(kassa().get_program(), machine.path("bin/kassa")).unwrap();
        let [listen, ops_listen] = &machine.addresses;
        let data = machine.data.display();
        let text = format!("data = '{data}'\nlisten = '{listen}'\nops-listen = '{ops_listen}'\n{settings}\n");
        fs::write(machine.path("etc/kassa.toml"), text).unwrap();
        machine
    }

    /// Something in its folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.addresses[0])
    }

    /// The command that serves by its settings.
    pub(crate) fn serve(&self) -> Command {
        let mut command = kassa();
        command.arg("serve").env("KASSA_CONFIG", self.path("etc/kassa.toml"));
        command
    }

    /// Starts its server, which keeps its secret elsewhere, too.
    #[track_caller]
    pub(crate) fn start(&self) -> (Server, Sale) {
        let server = Server::run(&mut self.serve());
        fs::write(self.path("run/pid"), server.process_id().to_string()).unwrap();
        fs::copy(self.data.join("secret"), self.path("secret")).unwrap();
        let sale = Sale::open(&server, 20);
        (server, sale)
    }

    /// Gives commands of a runbook, with further names, and sees that they succeed. What the server has logged so far is what
    /// its journal says.
    #[track_caller]
    pub(crate) fn run(&self, server: Option<&Server>, commands: &str, names: &[(&str, &str)]) -> CommandOutput {
        let output = run_command(&mut self.shell(server, commands, names), "");
        assert!(output.status.success(), "{commands}\n{output:?}");
        output
    }

    /// The shell that these commands are given to.
    #[track_caller]
    pub(crate) fn shell(&self, server: Option<&Server>, commands: &str, names: &[(&str, &str)]) -> Command {
        if let Some(server) = server {
            fs::write(self.path("run/log"), server.log().join("\n") + "\n").unwrap();
        }
        let places_named = &Runbook::of("Names").names[0];
        let script = [include_str!("machine.sh"), places_named, commands].join("\n");
        let [listen, ops_listen] = &self.addresses;
        let places = [
            ("https://tickets.example.org", format!("http://{listen}")),
            ("http://127.0.0.1:8081", format!("http://{ops_listen}")),
            ("/var/lib/kassa", self.data.display().to_string()),
            ("BACKUPS=/backups", format!("BACKUPS={}", self.path("backups").display())),
            ("LOGS=/mnt/other-disk/kassa", format!("LOGS={}", self.path("logs").display())),
            ("/root/kassa-secret", self.path("secret").display().to_string()),
            ("/etc/kassa/", format!("{}/", self.path("etc").display())),
        ];
        let script = places.iter().fold(script, |script, (place, own)| script.replace(place, own));
        // By a program, as not all that runs a command for others passes its environment on.
        let mut shell = Command::new("env");
        shell.arg("--ignore-environment").arg(format!("--chdir={}", self.path("work").display()));
        shell.arg(format!("PATH={}:{SYSTEM_PATH}", self.path("bin").display())).arg("LC_ALL=C.UTF-8");
        shell.arg(format!("RUN={}", self.path("run").display()));
        shell.arg(format!("KASSA_CONFIG={}", self.path("etc/kassa.toml").display()));
        shell.args(names.iter().map(|(name, value)| format!("{name}={value}"))).args(["bash", "-c", &script]);
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        shell
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // A server that a runbook has started. It may have ended, or there was none.
        let pid = fs::read_to_string(self.path("run/pid")).ok().and_then(|text| text.trim().parse().ok());
        if let Some(pid) = pid.and_then(Pid::from_raw) {
            let is_ours = fs::read_link(format!("/proc/{}/exe", pid.as_raw_nonzero()))
                .is_ok_and(|program| Some(program) == fs::canonicalize(kassa().get_program()).ok());
            if is_ours {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
    }
}
