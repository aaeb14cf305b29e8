//! What a program consists of, for programs that look for what is vulnerable: `CycloneDX`.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::components::{Components, Crate, CrateId};
use super::files::hexadecimal;
use super::program::Program;
use super::release::Release;

/// The document, as text.
pub(super) fn write(release: &Release, program: &Program, components: &Components) -> String {
    let is_program = |id: &CrateId| id.name == "kassa";
    let crates =
        components.crates.iter().filter(|(id, _)| !is_program(id)).map(|(id, found)| crate_component(id, found));
    let bundled = components.bundled.iter().map(|part| {
        let name = part.name.to_lowercase().replace(' ', "-");
        let mut component = json!({
            "type": part.kind,
            "bom-ref": format!("bundled:{name}"),
            "name": part.name,
            "licenses": licences(part.licence),
            "externalReferences": [{"type": "website", "url": part.from}],
        });
        if let Some(version) = &part.version {
            component["version"] = json!(version);
            component["purl"] = json!(format!("pkg:generic/{name}@{version}"));
        }
        component
    });
    let of_program = components.crates.keys().find(|id| is_program(id)).map(reference);
    let dependencies = components.crates.iter().map(|(id, found)| {
        let mut on: Vec<String> = found.depends_on.iter().map(reference).collect();
        if is_program(id) {
            let bundled = components.bundled.iter();
            on.extend(bundled.map(|part| format!("bundled:{}", part.name.to_lowercase().replace(' ', "-"))));
        }
        json!({"ref": reference(id), "dependsOn": on})
    });
    let document = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": serial_number(release, program),
        "version": 1,
        "metadata": {
            "timestamp": release.timestamp,
            "component": {
                "type": "application",
                "bom-ref": of_program,
                "name": "kassa",
                "version": release.version,
                "licenses": licences("AGPL-3.0-or-later"),
                "hashes": [{"alg": "SHA-256", "content": hexadecimal(&Sha256::digest(&program.bytes))}],
                "properties": [
                    {"name": "kassa:commit", "value": release.commit},
                    {"name": "kassa:target", "value": program.target().triple()},
                ],
            },
        },
        "components": crates.chain(bundled).collect::<Vec<Value>>(),
        "dependencies": dependencies.collect::<Vec<Value>>(),
    });
    format!("{document:#}\n")
}

fn reference(id: &CrateId) -> String {
    format!("{}@{}", id.name, id.version)
}

fn crate_component(id: &CrateId, found: &Crate) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": reference(id),
        "name": id.name,
        "version": id.version,
        "licenses": licences(&found.licence),
    });
    // What is of this repository is in no registry.
    if let Some(checksum) = &found.checksum {
        component["purl"] = json!(format!("pkg:cargo/{}@{}", id.name, id.version.replace('+', "%2B")));
        component["hashes"] = json!([{"alg": "SHA-256", "content": checksum}]);
    }
    if let Some(repository) = &found.repository {
        component["externalReferences"] = json!([{"type": "vcs", "url": repository}]);
    }
    component
}

fn licences(expression: &str) -> Value {
    json!([{"expression": expression}])
}

/// A UUID of what it is about (version 8), so that it is the same whenever it is made.
fn serial_number(release: &Release, program: &Program) -> String {
    let digest = Sha256::digest(format!("{} {} {}", release.commit, release.version, program.target().triple()));
    let mut bytes: Vec<u8> = digest.iter().copied().take(16).collect();
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = hexadecimal(&bytes);
    format!("urn:uuid:{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}
