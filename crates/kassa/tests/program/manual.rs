//! `kassa manual`: what packages have beside the program.

use std::fs;

use crate::commands::{kassa, run_command};

#[test]
fn each_command_has_a_page_and_shells_know_its_flags() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("manual");
    let output = run_command(kassa().arg("manual").arg(&place), "");
    assert!(output.status.success(), "{output:?}");
    let help = run_command(kassa().arg("--help"), "").stdout;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"serve") && !commands.contains(&"manual"), "{help}");
    let read = |name: &str| fs::read_to_string(place.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    for command in commands.iter().filter(|command| **command != "help") {
        assert!(read(&format!("man/kassa-{command}.1")).contains(".SH SYNOPSIS"), "{command}");
        for file in ["kassa.bash", "kassa.fish", "_kassa"] {
            assert!(read(&format!("completions/{file}")).contains(command), "{file}: {command}");
        }
    }
    assert!(read("man/kassa-admin-create-user.1").contains(".TH kassa-admin-create-user 1  \"kassa "));
    assert!(read("man/kassa-admin.1").contains("KASSA_DATA"));
    assert!(read("man/kassa.1").contains("kassa\\-serve(1)"));
    assert!(read("man/kassa-serve.1").contains("KASSA_SHOP_NAME"));
    assert!(!place.join("man/kassa-manual.1").exists());
}
