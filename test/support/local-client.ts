import { type Client, createClient } from "../../src/client/client.ts";
import { toInput } from "../../src/client/to-input.ts";
import type { Actor } from "../../src/core/actor.ts";
import type { Service } from "../../src/core/service.ts";
import { authenticate, toTenantActor } from "../../src/core/tokens.ts";
import { localFetch, localUrl } from "../../src/http/local-fetch.ts";
import type { OperationName } from "../../src/operations/index.ts";

/** Creates a client of a store in this process, for one of its users. Requests use the newest version. */
export function createLocalClient(
  service: Service,
  actor: Actor,
  onCall: (name: OperationName) => void = () => undefined,
): Client {
  const fetch = localFetch(service, actor);
  const convert: typeof toInput = (name, ...request) => {
    onCall(name as OperationName);
    return toInput(name, ...request);
  };
  const options = { fetch, makeKey: null, retries: 0, tenant: null, token: null, url: localUrl };
  return createClient({ ...options, toInput: convert });
}

/** The same for the user of a token. */
export async function clientOfToken(
  service: Service,
  { tenantId, token }: { tenantId: number; token: string },
  onCall?: (name: OperationName) => void,
): Promise<Client> {
  const actor = await toTenantActor(service, await authenticate(service, `Bearer ${token}`), tenantId);
  return createLocalClient(service, actor, onCall);
}
