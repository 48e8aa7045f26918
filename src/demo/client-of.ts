import type { Actor } from "../auth/actor.ts";
import type { Service } from "../core/service.ts";
import { createLocalCaller } from "../local/local-caller.ts";
import { type Client, createClient } from "../operations/client.ts";

/** The client of somebody who works on the store that is being filled: what is made passes all checks. */
export function clientOf({ service }: { service: Service }, actor: Actor): Client {
  return createClient(createLocalCaller(service, actor));
}
