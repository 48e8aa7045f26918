import type { Actor } from "../auth/actor.ts";
import type { RawAnswer, RawRequest } from "../core/server-factory.ts";
import type { Service } from "../core/service.ts";
import { createHandler } from "./handler.ts";
import { readBody } from "./read-body.ts";

/** Answers a raw request in this process as a server would, for a user of the store instead of a token. */
export async function answerInProcess(
  service: Service,
  actor: Actor,
  request: RawRequest,
): Promise<RawAnswer> {
  const handle = await createHandler(service, {
    answerBytesMax: 0,
    identify: async () => ({ actor: async () => actor, again: async () => actor, token: null }),
  });
  const { method, headers, body } = request;
  // A server gets an address without spaces and fragment.
  const { pathname, search } = new URL(`http://localhost${request.path}`);
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const incoming = {
    client: { address: null, isKnown: true },
    headers: Object.fromEntries(named),
    id: service.makeUuid(),
    method,
    readBody: () => readBody({}, body ? [body] : []),
    url: pathname + search,
  };
  const answer = await handle(incoming, () => undefined);
  return {
    status: answer.status,
    headers: toHeaders(answer.head),
    body: method === "HEAD" ? Buffer.alloc(0) : Buffer.from(answer.body),
  };
}

function toHeaders(head: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at < head.length; at += 2) headers[head[at] ?? ""] = head[at + 1] ?? "";
  return headers;
}
