//! The OpenAPI document: the operations and schemas that the handlers carry, in a frame of what they
//! share, and with what holds for all of them.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use url::Url;
use utoipa::openapi::OpenApi;

use super::ApiVersion;
use crate::route::{Access, Deprecation, Route, RouteTable};

/// What the operations share: about the interface, credentials, headers, and refusals.
const TEMPLATE: &str = include_str!("frame.json");
/// What the frame of version 2 has in place of that.
const TEMPLATE_V2: &str = include_str!("frame_v2.json");
/// Examples of schemas, by name.
const EXAMPLES: &str = include_str!("examples.json");
const EXAMPLES_V2: &str = include_str!("examples_v2.json");

/// The document of these operations, for clients that reach the server at `server`.
pub(super) fn build_document(api: &OpenApi, version: ApiVersion, routes: &RouteTable, server: Option<&Url>) -> Value {
    let (mut document, examples) = template_of(version);
    let said = serde_json::to_value(api);
    debug_assert!(said.is_ok(), "a document is JSON");
    let mut said = said.unwrap_or_default();
    document["info"]["version"] = env!("CARGO_PKG_VERSION").into();
    document["servers"] = json!([{"url": server.map_or("/", |url| url.as_str().trim_end_matches('/'))}]);
    document["paths"] = said["paths"].take();
    document["components"]["schemas"] = said["components"]["schemas"].take();
    for (path, operations) in entries(&mut document["paths"]) {
        for (method, operation) in entries(operations) {
            complete_operation(operation, path, method, routes.route(method, path));
        }
    }
    for name in schemas_of_responses(&document) {
        complete_response_schema(&mut document["components"]["schemas"][&name]);
    }
    describe_nullable_properties(&mut document["components"]["schemas"]);
    for (name, mut example) in examples {
        let schemas = &document["components"]["schemas"];
        complete_example(&mut example, &schemas[&name], schemas);
        document["components"]["schemas"][&name]["examples"] = json!([example]);
    }
    document
}

/// What the operations of a version share, and the examples of its schemas.
fn template_of(version: ApiVersion) -> (Value, Map<String, Value>) {
    let mut document: Value = parse_own(TEMPLATE);
    let (own, examples) = match version {
        ApiVersion::V1 => ("{}", EXAMPLES),
        ApiVersion::V2 => (TEMPLATE_V2, EXAMPLES_V2),
    };
    let own: Map<String, Value> = parse_own(own);
    for (name, part) in own {
        document[name] = part;
    }
    (document, parse_own(examples))
}

/// A JSON file of the program.
fn parse_own<T: Default + DeserializeOwned>(json: &str) -> T {
    let parsed = serde_json::from_str(json);
    debug_assert!(parsed.is_ok(), "a file of the program is not JSON");
    parsed.unwrap_or_default()
}

fn entries(object: &mut Value) -> impl Iterator<Item = (&String, &mut Value)> {
    object.as_object_mut().into_iter().flatten()
}

/// What each operation has by rules that hold for all.
fn complete_operation(operation: &mut Value, path: &str, method: &str, route: Option<&Route>) {
    let said: Vec<Value> = operation["parameters"].as_array().into_iter().flatten().cloned().collect();
    let names = path.split('/').filter_map(|segment| segment.strip_prefix('{')?.split('}').next());
    let unsaid = names.filter(|name| said.iter().all(|parameter| parameter["name"] != *name));
    let mut parameters: Vec<Value> = unsaid.map(path_parameter).collect();
    parameters.extend(said);
    if route.is_some_and(|route| route.shows.is_some()) {
        parameters.push(reference("parameters/FieldsSchema"));
    }
    // For whom a caller acts is all the same where nothing is done for it.
    let acts = route.is_none_or(|route| route.access == Access::Credential);
    let [key, cookie] = ["key", "cookie"].map(|scheme| acts && accepts_credential(operation, scheme));
    if cookie {
        parameters.push(reference("parameters/X-Partner"));
    }
    let (taken, refusals) = condition_parts(method, route);
    parameters.extend(taken.iter().map(|name| reference(&format!("parameters/{name}"))));
    for (status, name) in refusals {
        if operation["responses"].get(status).is_none() {
            operation["responses"][status] = reference(&format!("responses/{name}"));
        }
    }
    operation["parameters"] = parameters.into();
    operation["responses"]["5XX"] = reference("responses/Failed");
    if let Some(deprecation) = route.and_then(|route| route.deprecation.as_ref()) {
        deprecate(operation, deprecation);
    }
    for (status, response) in entries(&mut operation["responses"]) {
        if !status.starts_with('2') {
            continue;
        }
        if response["content"]["application/json"]["schema"]["type"] == "array" {
            response["headers"]["TOTAL"] = reference("headers/TOTAL");
        }
        if key {
            response["headers"]["X-Partner"] = reference("headers/X-Partner");
        }
        if taken.contains(&"Idempotency-Key") {
            response["headers"]["Idempotent-Replayed"] = reference("headers/Idempotent-Replayed");
        }
        if !taken.is_empty() {
            response["headers"]["ETag"] = reference("headers/ETag");
        }
    }
}

/// What a deprecated operation says of that. Refusals do so, too, but stand once for all operations.
fn deprecate(operation: &mut Value, deprecation: &Deprecation) {
    let about = operation["description"].as_str().unwrap_or_default();
    operation["description"] = format!("{} {about}", deprecation.text()).trim_end().into();
    operation["deprecated"] = true.into();
    for (status, response) in entries(&mut operation["responses"]) {
        if status.starts_with('2') {
            response["headers"]["Deprecation"] = reference("headers/Deprecation");
            response["headers"]["Link"] = reference("headers/Link");
            if deprecation.has_sunset() {
                response["headers"]["Sunset"] = reference("headers/Sunset");
            }
        }
    }
}

/// Names of parameters, and of answers by their statuses.
type ConditionParts = (&'static [&'static str], &'static [(&'static str, &'static str)]);

/// The conditions that an operation takes, and what it answers by them. A write without a caller has none.
fn condition_parts(method: &str, route: Option<&Route>) -> ConditionParts {
    match route {
        Some(route) if method == "get" && route.has_entity_tag => (&["If-None-Match"], &[("304", "NotModified")]),
        Some(route) if method != "get" && route.access == Access::Credential => (
            &["Idempotency-Key", "If-Match"],
            &[("409", "KeyInUse"), ("412", "PreconditionFailed"), ("422", "KeyReused")],
        ),
        Some(_) | None => (&[], &[]),
    }
}

/// Whether an operation takes this kind of credential. All do, unless they say otherwise.
fn accepts_credential(operation: &Value, scheme: &str) -> bool {
    operation["security"].as_array().is_none_or(|schemes| schemes.iter().any(|known| known.get(scheme).is_some()))
}

fn path_parameter(name: &str) -> Value {
    let about = format!("The id of the {}.", name.replace('_', " "));
    json!({"name": name, "in": "path", "required": true, "description": about, "schema": reference("schemas/Id")})
}

fn reference(to: &str) -> Value {
    json!({"$ref": format!("#/components/{to}")})
}

/// The names of the schemas that answers consist of.
fn schemas_of_responses(document: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let paths = document["paths"].as_object().into_iter().flatten();
    for operation in paths.flat_map(|(_, operations)| operations.as_object().into_iter().flatten()) {
        collect_schema_names(&operation.1["responses"], document, &mut names);
    }
    names
}

fn collect_schema_names(part: &Value, document: &Value, names: &mut BTreeSet<String>) {
    match part {
        Value::Object(fields) => {
            let name =
                fields.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix("#/components/schemas/"));
            if let Some(name) = name
                && names.insert(name.to_owned())
            {
                collect_schema_names(&document["components"]["schemas"][name], document, names);
            }
            fields.values().for_each(|field| collect_schema_names(field, document, names));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_schema_names(item, document, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// In an answer, a field that may be null is there all the same: what may be missing is never null.
/// And of several forms one may have all fields of another.
fn complete_response_schema(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if let Some(forms) = fields.remove("oneOf") {
                fields.insert("anyOf".to_owned(), forms);
            }
            fields.values_mut().for_each(complete_response_schema);
            let required = required_properties(fields);
            if !required.is_empty() {
                fields.insert("required".to_owned(), required.into_iter().collect());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(complete_response_schema),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn required_properties(fields: &Map<String, Value>) -> BTreeSet<String> {
    let said = fields.get("required").and_then(Value::as_array).into_iter().flatten();
    let properties = fields.get("properties").and_then(Value::as_object).into_iter().flatten();
    let nullable = properties.filter(|(_, schema)| is_nullable(schema)).map(|(name, _)| name.as_str());
    said.filter_map(Value::as_str).chain(nullable).map(str::to_owned).collect()
}

/// Moves what is said of a property that may be null from the form that is not null to the property itself.
fn describe_nullable_properties(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let properties = fields.get_mut("properties").into_iter().flat_map(entries);
            properties.for_each(|(_, property)| describe_nullable_property(property));
            fields.values_mut().for_each(describe_nullable_properties);
        }
        Value::Array(items) => items.iter_mut().for_each(describe_nullable_properties),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn describe_nullable_property(property: &mut Value) {
    let first_form = property.pointer_mut("/anyOf/0").and_then(Value::as_object_mut);
    let Some(form) = first_form.filter(|form| form.contains_key("$ref")) else { return };
    if let Some(about) = form.remove("description") {
        property["description"] = about;
    }
}

/// Adds to an example the required properties that it lacks, as far as their schemas have examples of their own: these
/// stand with the fields of wire forms.
fn complete_example(example: &mut Value, schema: &Value, schemas: &Value) {
    if let Some(name) = schema["$ref"].as_str().and_then(|to| to.strip_prefix("#/components/schemas/")) {
        return complete_example(example, &schemas[name], schemas);
    }
    for form in schema["anyOf"].as_array().into_iter().flatten() {
        complete_example(example, form, schemas);
    }
    match example {
        Value::Array(items) => items.iter_mut().for_each(|item| complete_example(item, &schema["items"], schemas)),
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                let property = schema["properties"].get(name).unwrap_or(&schema["additionalProperties"]);
                complete_example(value, property, schemas);
            }
            for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                let example = &schema["properties"][name]["example"];
                if !example.is_null() && !fields.contains_key(name) {
                    fields.insert(name.to_owned(), example.clone());
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn is_nullable(schema: &Value) -> bool {
    let mut forms = schema["anyOf"].as_array().into_iter().flatten();
    let kind = &schema["type"];
    kind == "null" || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("null"))) || forms.any(is_nullable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_completed_by_those_of_its_fields() {
        let schemas = json!({
            "Event": {
                "properties": {
                    "id": {"type": "string"},
                    "note": {"type": "string", "example": "Bring an umbrella"},
                    "left_out": {"type": "string", "example": "x"},
                    "sets": {"type": "array", "items": {"$ref": "#/components/schemas/Set"}},
                    "venue": {"anyOf": [{"$ref": "#/components/schemas/Venue"}, {"type": "null"}]},
                },
                "required": ["id", "note", "sets", "venue"],
            },
            "Set": {"properties": {"pos": {"type": "integer", "example": 3}}, "required": ["pos"]},
            "Venue": {"properties": {"hall": {"type": "string", "example": "A"}}, "required": ["hall"]},
        });
        let mut example = json!({"1": {"id": "1", "sets": [{}, {"pos": 1}], "venue": {}}});
        let by_id = json!({"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Event"}});
        complete_example(&mut example, &by_id, &schemas);
        let sets = json!([{"pos": 3}, {"pos": 1}]);
        let event = json!({"id": "1", "note": "Bring an umbrella", "sets": sets, "venue": {"hall": "A"}});
        assert_eq!(example, json!({"1": event}));
    }
}
