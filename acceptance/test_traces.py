"""Traces come to a collector, which the library of OpenTelemetry decodes."""

import http.server
import queue
import tempfile
import threading
import unittest

import requests
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from catalogue import Partner
from receivers import PATIENCE_SECONDS, PythonReceiver
from server import Server

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"
TRACEPARENT = f"00-{TRACE}-{PARENT}-01"
CREDENTIAL = "Bearer of-the-collector"


class Collector:
    """Takes spans, and knows the headers of each request."""

    def __init__(self):
        self.spans, self.headers = queue.Queue(), []
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                collector.headers.append((self.path, dict(self.headers)))
                for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                    names = {each.key: each.value.string_value for each in resource.resource.attributes}
                    for scope in resource.scope_spans:
                        for span in scope.spans:
                            collector.spans.put((names, span))
                self.send_response(200)
                self.send_header("content-type", "application/x-protobuf")
                self.end_headers()

            def log_message(self, *_):
                """Says nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def spans_until(self, is_last):
        """Spans as they come, up to one of which this is true."""
        found = []
        while True:
            found.append(self.spans.get(timeout=PATIENCE_SECONDS)[1])
            if is_last(found[-1]):
                return found

    def rest(self):
        """What has come besides."""
        found = []
        while not self.spans.empty():
            found.append(self.spans.get()[1])
        return found


def attributes(span):
    """What is said of a span."""
    return {each.key: each.value.string_value or each.value.int_value for each in span.attributes}


class Traces(unittest.TestCase):
    def serve(self, *flags):
        """A server that traces what is asked for, and its collector."""
        collector = Collector()
        self.addCleanup(collector.stop)
        server = Server("--webhook-allow", "127.0.0.0/8", "--traces-to", collector.url, *flags)
        self.addCleanup(server.kill)
        return server, collector

    def test_a_client_that_traces_finds_its_order_in_its_trace(self):
        server, collector = self.serve("--traces-share", "0")
        organizer = Partner(server.url, "Harbour Hall", "org")
        event = organizer.event("Night of the Lanterns")
        stalls = organizer.set(event, "Stalls", 10, "100.00")
        body = {"event": event["id"], "random": {stalls["id"]: 1}}
        headers = organizer.authorization | {"traceparent": TRACEPARENT}
        answer = requests.post(f"{server.url}/v1/resources/orders?token=hush", json=body, headers=headers)
        self.assertEqual(answer.status_code, 201, answer.text)
        spans = collector.spans_until(lambda span: span.kind == Span.SPAN_KIND_SERVER)
        request = spans[-1]
        self.assertEqual((request.trace_id.hex(), request.parent_span_id.hex()), (TRACE, PARENT))
        self.assertEqual(request.name, "POST /v1/resources/orders")
        said = attributes(request)
        expected = {"http.request.method": "POST", "http.route": "/v1/resources/orders", "http.response.status_code": 201}
        self.assertEqual(said, expected)
        self.assertEqual(answer.headers["traceresponse"], f"00-{TRACE}-{request.span_id.hex()}-01")
        parts = {span.name: span for span in spans[:-1]}
        self.assertEqual(list(parts), ["wait for the lane", "decide", "write and commit"])
        for part in parts.values():
            self.assertEqual((part.trace_id.hex(), part.parent_span_id), (TRACE, request.span_id))
            self.assertLessEqual(request.start_time_unix_nano, part.start_time_unix_nano)
            self.assertLessEqual(part.start_time_unix_nano, part.end_time_unix_nano)
            self.assertLessEqual(part.end_time_unix_nano, request.end_time_unix_nano)
        server.stop()
        self.assertEqual(collector.rest(), [], "nobody else has asked for it")
        for span in spans:
            self.assertNotIn(b"hush", span.SerializeToString())

    def test_errors_and_lines_of_the_log_name_their_trace(self):
        server, collector = self.serve("--traces-share", "0", "--log", "hyper_util=debug,info")
        refused = requests.get(f"{server.url}/v1/resources/orders", headers={"traceparent": TRACEPARENT})
        self.assertEqual(refused.status_code, 401)
        self.assertTrue(refused.headers["traceresponse"].startswith(f"00-{TRACE}-"))
        [span] = collector.spans_until(lambda _: True)
        self.assertEqual((attributes(span)["http.response.status_code"], span.status.code), (401, Status.STATUS_CODE_UNSET))
        organizer = Partner(server.url, "Harbour Hall", "org")
        hooks = {"url": "http://127.0.0.1:9/hooks", "types": ["event.*"]}
        path = f"{server.url}/v2/resources/webhooks"
        webhook = requests.post(path, json=hooks, headers=organizer.authorization).json()["data"]
        headers = organizer.authorization | {"traceparent": TRACEPARENT}
        tried = requests.post(f"{path}/{webhook['id']}/test", headers=headers)
        self.assertEqual(tried.status_code, 200, tried.text)
        unanswered = collector.spans_until(lambda span: span.kind == Span.SPAN_KIND_CLIENT)[-1]
        self.assertEqual((unanswered.trace_id.hex(), unanswered.status.code), (TRACE, Status.STATUS_CODE_ERROR))
        for malformed in ("", "00", TRACEPARENT[:-1] + "0", TRACEPARENT.upper(), TRACEPARENT + "-more"):
            answer = requests.get(f"{server.url}/v1/resources/orders", headers={"traceparent": malformed})
            self.assertNotIn("traceresponse", answer.headers, malformed)
        server.stop()
        # What is logged while the endpoint is tried, which nobody answers for.
        lines = [line for line in server.log if "127.0.0.1:9" in line and TRACE in line]
        self.assertTrue(lines, server.log)

    def test_a_share_is_traced_with_what_follows_and_receivers_go_on_with_it(self):
        server, collector = self.serve("--traces-share", "1")
        organizer = Partner(server.url, "Harbour Hall", "org")
        hooks = {"url": "http://127.0.0.1:9/hooks", "types": ["event.*"]}
        path = f"{server.url}/v2/resources/webhooks"
        webhook = requests.post(path, json=hooks, headers=organizer.authorization).json()["data"]
        receiver = PythonReceiver(webhook["secret"])
        self.addCleanup(receiver.stop)
        requests.patch(f"{path}/{webhook['id']}", json={"url": receiver.url}, headers=organizer.authorization)
        organizer.event("Night of the Lanterns")
        sent = collector.spans_until(lambda span: span.kind == Span.SPAN_KIND_CLIENT)[-1]
        self.assertEqual(attributes(sent), {"http.request.method": "POST", "http.response.status_code": 204})
        self.assertIn(f"00-{sent.trace_id.hex()}-{sent.span_id.hex()}-01", receiver.traceparents)
        page = requests.get(f"{server.url}/")
        trace = page.headers["traceresponse"].split("-")[1]
        spans = collector.spans_until(lambda span: span.name == "GET pages")
        asked = [span for span in spans if span.trace_id.hex() == trace and span.kind == Span.SPAN_KIND_INTERNAL]
        self.assertTrue(all(span.parent_span_id == spans[-1].span_id for span in asked))
        self.assertTrue(asked, "what a page asks the API is a part of its trace")
        server.stop()

    def test_a_collector_gets_its_headers_and_one_that_is_away_is_waited_for_by_nobody(self):
        server, collector = self.serve("--traces-share", "1", "--traces-headers-file", self.headers_file())
        requests.get(f"{server.url}/v1/resources/events")
        names, _ = collector.spans.get(timeout=PATIENCE_SECONDS)
        self.assertEqual(names["service.name"], "kassa")
        path, headers = collector.headers[0]
        self.assertEqual((path, headers["authorization"]), ("/v1/traces", CREDENTIAL))
        self.assertEqual(headers["content-type"], "application/x-protobuf")
        collector.stop()
        for _ in range(50):
            self.assertLess(requests.get(f"{server.url}/v1/resources/events").elapsed.total_seconds(), 1)
        server.stop()
        told = [line for line in server.log if "traces cannot be sent" in line]
        self.assertEqual(len(told), 1, server.log)
        self.assertFalse(any("of-the-collector" in line for line in server.log))

    def headers_file(self):
        file = tempfile.NamedTemporaryFile("w")
        self.addCleanup(file.close)
        file.write(f"Authorization: {CREDENTIAL}\n")
        file.flush()
        return file.name

    def test_without_a_collector_nothing_is_traced(self):
        server = Server()
        self.addCleanup(server.kill)
        answer = requests.get(f"{server.url}/v1/resources/events", headers={"traceparent": TRACEPARENT})
        self.assertNotIn("traceresponse", answer.headers)
        server.stop()


if __name__ == "__main__":
    unittest.main()
