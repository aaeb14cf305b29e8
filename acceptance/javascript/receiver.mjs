// A server that takes webhooks and verifies them with the libraries of Standard Webhooks and of Svix.
//
//   WEBHOOK_SECRET=whsec_… node receiver.mjs
//
// Prints its port, then a line of JSON for each message: what it was, or why it was refused.

import { createServer } from "node:http";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";

const verifiers = [StandardWebhook, SvixWebhook].map((Webhook) => new Webhook(process.env.WEBHOOK_SECRET));
const say = (news) => console.log(JSON.stringify(news));

const server = createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part)).on("end", () => {
    const body = Buffer.concat(parts).toString("utf8");
    try {
      const [message] = verifiers.map((verifier) => verifier.verify(body, request.headers));
      response.writeHead(204).end();
      say({ message: JSON.parse(body), verified: message !== null });
    } catch (error) {
      response.writeHead(401).end();
      say({ refused: String(error) });
    }
  });
});
server.listen(0, "127.0.0.1", () => say({ port: server.address().port }));
