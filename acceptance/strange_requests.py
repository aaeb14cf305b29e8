"""Rules for Schemathesis: what holds for the interface, and cannot be said in an OpenAPI document.

It is read by each run that test_strange_requests.py starts; the variable CALLER says who asks there.
"""

import copy
import os

import jsonschema_rs
import schemathesis
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.openapi.checks import AllowHeaderMismatch, JsonSchemaError, RejectedPositiveData

# Refusals for the form of a request. Those for what it asks are no business of the document: it cannot
# know what is sold out, or whose an id is. The grammar of `fields-schema` is nothing for a schema, either.
FORM = {"invalid_fields", "malformed_json", "malformed_query", "unsupported_media_type"}
# What may be wrong with a value, or with two of them together, that no schema of a value says.
BEYOND_SCHEMAS = (
    # Other than the schema says, null cannot clear each field.
    "must not be null",
    # One field looks at another.
    "must not be given together with",
    "must come with a price",
    "must be a longitude from",
    "is required",
    "only together with order_event",
    "must be the number of seats, or be left out",
    "must not be below min",
    "must not be blank",
    "must not be less than from",
    "must begin with the smaller value",
    "must be [from, to]",
    "must not name a seat twice",
    "must not be the name of two rows",
    "the name of a row must have",
    "must be two times, the earlier first",
    "must have exactly one of percengate, percentage, fixed and fix",
    # A number is read by its digits: to a schema 5.0 is as whole as 5, and 1e-9 a number as any other.
    "must be a whole number",
    "a whole number, true, false or null",
    "must be the number of a city",
    "must be a percentage as",
    "must be a percentage from",
    "must be an amount from",
    "must be a string",
    # How deep and how much all of it is.
    "must be an object of at most 100 texts",
    # Grammars of their own.
    "must be an e-mail address",
    "must be a time as",
    "VEVENT",
    "must be two values",
    "must be at most 100 labels",
    # Where webhooks are sent to, and from where they are sent again.
    "it is not a URL such as",
    "it is longer than",
    "it must begin with https://",
    "it must have no",
    "its port must be",
    "its address is not",
    "must be a cursor that",
    "must be the id of a change",
    "the feed ends before",
)
# What is read nowhere, though its schema says what it would be.
IGNORED = {"/v1/resources/events/{event}/sets": "blocked"}


class Partial:
    """The schemas of a document as they hold for an answer of which only some fields were asked for."""

    def __init__(self, document):
        self.document = copy.deepcopy(document)
        self.loosen(self.document["components"]["schemas"])

    def loosen(self, part):
        if isinstance(part, dict):
            if "properties" in part:
                part.pop("required", None)
                part.setdefault("additionalProperties", False)
            part = list(part.values())
        if isinstance(part, list):
            for each in part:
                self.loosen(each)

    def fits(self, path, method, response):
        operation = self.document["paths"][path][method]
        schema = operation["responses"][str(response.status_code)]["content"]["application/json"]["schema"]
        root = {"components": self.document["components"], **schema}
        return jsonschema_rs.Draft202012Validator(root).is_valid(response.json())


@schemathesis.hook
def before_load_schema(context, raw_schema):
    global PARTIAL
    PARTIAL = Partial(raw_schema)
    if os.environ["CALLER"] == "key":
        # A key is its partner's, whatever the header says: none of its values is wrong.
        for operations in raw_schema["paths"].values():
            for operation in operations.values():
                operation["parameters"] = [
                    each for each in operation["parameters"] if each.get("$ref") != "#/components/parameters/X-Partner"
                ]


@schemathesis.hook
def before_call(context, case, kwargs):
    """Nobody waits for changes: there are thousands of requests."""
    query = case.query or {}
    if str(query.get("wait")).isdigit() and int(query["wait"]) <= 30:
        query["wait"] = 0


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether it is a failure."""
    query, operation = case.query or {}, case.operation
    if isinstance(failure, RejectedPositiveData):
        return is_unexpected(response)
    if isinstance(failure, JsonSchemaError) and "fields-schema" in query:
        return not PARTIAL.fits(operation.path, operation.method.lower(), response)
    if isinstance(failure, AcceptedNegativeData):
        # A precondition comes before the form of a request: the generated tags are those of no resource.
        if response.status_code == 412:
            return False
        # A parameter without a value says nothing.
        is_unread = f"- {IGNORED.get(operation.path)}" in failure.message
        # What this body may say, the query may say, too.
        is_said = operation.path == "/v2/resources/orders/export" and "Missing re" in failure.message
        return not is_unread and not is_said and "" not in query.values()
    if isinstance(failure, AllowHeaderMismatch):
        # To the server this is the path of the map itself, which takes more.
        return not operation.path.endswith("{map}.svg")
    return True


def is_unexpected(response):
    """Whether the document lets a client think that this request was well-formed."""
    refusal = response.json()
    if refusal["code"] not in FORM:
        return False
    problems = [detail["problem"] for detail in refusal["details"]] or [refusal["reason"]]
    return not all(any(words in problem for words in BEYOND_SCHEMAS) for problem in problems)
