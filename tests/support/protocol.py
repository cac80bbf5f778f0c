"""Messages of the language server and debug adapter protocols: JSON with a Content-Length."""
import json
import subprocess


class Server:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def write(self, message):
        text = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def read(self):
        length = 0
        while True:
            line = self.process.stdout.readline()
            assert line, "the server has ended"
            if not line.strip():
                return json.loads(self.process.stdout.read(length))
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])


class Adapter(Server):
    """A debug adapter: requests, and the events that come in between."""

    def __init__(self, command):
        super().__init__(command)
        self.number, self.events = 0, []

    def send(self, command, **arguments):
        self.number += 1
        self.write({"seq": self.number, "type": "request", "command": command, "arguments": arguments})

    def read_event(self):
        """The next message; an event is also kept."""
        message = self.read()
        if message["type"] == "event":
            self.events.append(message)
        return message

    def call(self, command, **arguments):
        self.send(command, **arguments)
        while True:
            message = self.read_event()
            if message.get("request_seq") == self.number:
                assert message["success"], message
                return message.get("body")

    def wait(self, name):
        while True:
            for event in self.events:
                if event["event"] == name:
                    self.events.remove(event)
                    return event.get("body")
            self.read_event()
