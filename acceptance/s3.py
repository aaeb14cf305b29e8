"""A server that speaks S3, moto's, in this process."""

import logging
import ssl
import tempfile
from threading import Thread

import boto3
import trustme
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
from werkzeug.serving import make_server

KEY, SECRET = "acceptance", "not a secret"

logging.getLogger("werkzeug").setLevel(logging.WARNING)


class S3:
    """Buckets on a free port of the loopback interface, with TLS or without."""

    def __init__(self, tls):
        authority = trustme.CA() if tls else None
        app = DomainDispatcherApplication(create_backend_app)
        context = certified(authority) if tls else None
        self.server = make_server("127.0.0.1", 0, app, True, request_handler=MotoRequestHandler, ssl_context=context)
        self.thread = Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()
        self.endpoint = f"{'https' if tls else 'http'}://127.0.0.1:{self.server.port}"
        # How clients are told whom to trust, and who they are.
        self.variables = {"KASSA_S3_ACCESS_KEY": KEY, "KASSA_S3_SECRET_KEY": SECRET}
        if tls:
            self.authority_file = tempfile.NamedTemporaryFile(suffix=".pem")
            authority.cert_pem.write_to_path(self.authority_file.name)
            self.variables["SSL_CERT_FILE"] = self.authority_file.name
        self.client = boto3.client(
            "s3",
            endpoint_url=self.endpoint,
            verify=self.variables.get("SSL_CERT_FILE"),
            region_name="us-east-1",
            aws_access_key_id=KEY,
            aws_secret_access_key=SECRET,
        )

    def stop(self):
        self.client.close()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
        if "SSL_CERT_FILE" in self.variables:
            self.authority_file.close()


def certified(authority):
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    return context
