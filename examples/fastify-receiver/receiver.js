import { pathToFileURL } from "node:url";
import { verifyWebhook, WebhookVerificationError } from "dispatch-cli";
import Fastify from "fastify";

/** Creates an application that calls `onEvent` once for each event. `secret` is the webhook's secret. */
export function createReceiver({ secret, onEvent }) {
  const app = Fastify({ bodyLimit: 10 * 1024 * 1024 });
  // With several processes, or to survive restarts, use a table with a unique column instead.
  const seen = new Set();

  // The signature covers the raw bytes, so nothing may parse them before.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

  app.post("/hook", async (request, reply) => {
    const event = verifyWebhook({ headers: request.headers, body: request.body, secret });
    reply.code(204).send();
    if (seen.has(event.id)) return reply;
    seen.add(event.id);
    await onEvent(event);
    return reply;
  });

  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof WebhookVerificationError)) return reply.code(500).send();
    return reply.code(401).send({ reason: error.reason });
  });
  return app;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const app = createReceiver({
    secret: process.env.SECRET,
    onEvent: (event) => console.log(event.type, event.action, event.data.id),
  });
  console.log(await app.listen({ port: 3000 }));
}
