"""The program, run as long as the tests need it."""

import atexit
import os
import signal
import subprocess
import tempfile
import threading
from concurrent.futures import Future

BINARY = os.environ["KASSA_BINARY"]

# A run that is ended from outside unwinds, so that no server outlives it.
signal.signal(signal.SIGTERM, signal.default_int_handler)


class Server:
    """`kassa serve` with a data folder of its own, on free ports of the loopback interface."""

    COMMAND = "serve"

    def __init__(self, *flags, **variables):
        self.folder = tempfile.TemporaryDirectory(prefix="kassa-acceptance-")
        self.output = tempfile.TemporaryFile(mode="w+")
        self.command = [BINARY, self.COMMAND, "--data", self.folder.name, *flags]
        self.address = "127.0.0.1:0"
        others = {name: value for name, value in os.environ.items() if not name.startswith("KASSA_")}
        self.variables = others | variables
        atexit.register(self.kill)
        self._start()

    def _start(self):
        pipes = {"stdout": self.output, "stderr": subprocess.PIPE}
        command = [*self.command, "--listen", self.address]
        self.process = subprocess.Popen(command, env=self.variables, text=True, **pipes)
        self.log = []
        address = Future()
        self.reader = threading.Thread(target=self._read_log, args=(address,), daemon=True)
        self.reader.start()
        self.url = address.result(timeout=60)
        self.address = self.url.removeprefix("http://")

    def _read_log(self, address):
        for line in self.process.stderr:
            self.log.append(line)
            if "Kassa is ready" in line:
                address.set_result(next(word[4:] for word in line.split() if word.startswith("url=")))
        if not address.done():
            address.set_exception(RuntimeError("the server ended before it was ready:\n" + "".join(self.log)))

    def administer(self, *words):
        """Gives a command of the operator, beside the server."""
        command = [BINARY, "admin", "--data", self.folder.name, *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def confirm(self, email):
        """Confirms the e-mail of a user, as the operator does."""
        self.administer("confirm-email", email)

    def kill_and_restart(self):
        """Ends it with SIGKILL, and starts it again on its data, at its address."""
        self._end()
        self._start()

    def stop_and_restart(self):
        """Stops it in order, and starts it again on its data, at its address."""
        self._terminate(self._end)
        self._start()

    def stop(self):
        """Stops it in order, and sees that nothing was wrong while it ran."""
        self._terminate(self.kill)

    def _terminate(self, end):
        self.process.terminate()
        try:
            status = self.process.wait(timeout=60)
        finally:
            end()
        alarms = [line for line in self.log if " ERROR " in line or "panicked" in line]
        assert (status, alarms) == (0, []), f"status {status}, and in the log:\n{''.join(self.log)}"

    def kill(self):
        """Ends it, if it still runs, and removes its data."""
        atexit.unregister(self.kill)
        self._end()
        self.output.close()
        self.folder.cleanup()

    def _end(self):
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stderr.close()


class Demo(Server):
    """`kassa demo`: a server with a catalogue, and the credentials that it prints."""

    COMMAND = "demo"

    def credentials(self, role):
        """The e-mail and the API key of the first partner with this role, or with this word in its name."""
        self.output.seek(0)
        words = (line.split() for line in self.output)
        return next((row[-2], row[-1]) for row in words if role in row and "@" in row[-2])
