import { pathToFileURL } from "node:url";
import { verifyWebhook, WebhookVerificationError } from "dispatch-cli";
import express from "express";

/** Creates an application that calls `onEvent` once for each event. `secret` is the webhook's secret. */
export function createReceiver({ secret, onEvent }) {
  const app = express();
  // With several processes, or to survive restarts, use a table with a unique column instead.
  const seen = new Set();

  // The signature covers the raw bytes, so do not put express.json() before this route. A record can be large.
  app.post("/hook", express.raw({ type: "*/*", limit: "10mb" }), async (request, response) => {
    const event = verifyWebhook({ headers: request.headers, body: request.body, secret });
    response.sendStatus(204);
    if (seen.has(event.id)) return;
    seen.add(event.id);
    await onEvent(event);
  });

  app.use((error, _request, response, next) => {
    if (response.headersSent) return next(error);
    if (!(error instanceof WebhookVerificationError)) return response.sendStatus(500);
    response.status(401).json({ reason: error.reason });
  });
  return app;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const app = createReceiver({
    secret: process.env.SECRET,
    onEvent: (event) => console.log(event.type, event.action, event.data.id),
  });
  app.listen(3000, () => console.log("http://127.0.0.1:3000"));
}
