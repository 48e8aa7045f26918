import { pathToFileURL } from "node:url";
import { verifyWebhook, WebhookVerificationError } from "dispatch-cli";
import Fastify from "fastify";

/** An application that has `onEvent` work on each event once; `secret` is that of the webhook. */
export function createReceiver({ secret, onEvent }) {
  const app = Fastify({ bodyLimit: 10 * 1024 * 1024 });
  // A table with a unique column does this where there are several processes, or restarts.
  const seen = new Set();

  // The signature stands for the bytes as they came: nothing may parse them before.
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
