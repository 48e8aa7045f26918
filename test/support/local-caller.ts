import type { Actor } from "../../src/auth/actor.ts";
import { toInput } from "../../src/cli/target/client-defaults.ts";
import { connect } from "../../src/cli/target/connect.ts";
import { createCaller } from "../../src/client/caller.ts";
import { createClient } from "../../src/client/client.ts";
import type { Caller } from "../../src/core/caller.ts";
import type { Service } from "../../src/core/service.ts";
import { localFetch, localUrl } from "../../src/http/local-fetch.ts";

/** Calls operations of a store in this process as a user of it, in the newest form. */
export function createLocalCaller(service: Service, actor: Actor): Caller {
  const fetch = localFetch(service, actor);
  const options = { fetch, makeKey: null, retries: 0, tenant: null, toInput, token: null, url: localUrl };
  return createCaller(createClient(options), () => service.store.close());
}

/** Calls operations of a server, for a tenant that it names or any other. */
export async function connectCaller(...asked: Parameters<typeof connect>): Promise<Caller> {
  const { client, close } = await connect(...asked);
  return createCaller(client, close);
}
