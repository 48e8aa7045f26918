import { onTestFinished } from "vitest";
import { openService } from "../../src/core/open-service.ts";
import { newestVersion } from "../../src/models/api-versions.ts";
import type { Role } from "../../src/models/user.ts";
import type { Harness } from "./harness.ts";
import type { HttpClient, WireAnswer, WireRequest } from "./http-client.ts";
import type { Caller } from "./tenants.ts";

/** A request at the newest version. With a JSON body, the default method is POST. */
export interface JsonRequest extends Omit<WireRequest, "body"> {
  /** By default Acme's Dispatcher. */
  as?: Role | Caller;
  body?: unknown;
}

/** Builds the request of a caller of the harness. */
export function toRequest(harness: Harness, request: JsonRequest): WireRequest {
  const { as = "Dispatcher", body, headers, ...rest } = request;
  const common = { ...harness.headersOf(as), "x-api-version": newestVersion };
  return {
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    ...rest,
    headers: { ...common, ...headers },
  };
}

/** Sends a request with an Idempotency-Key. */
export function sendKeyed(harness: Harness, key: string, request: JsonRequest): Promise<WireAnswer> {
  const headers = { "idempotency-key": key, ...request.headers };
  return harness.send(toRequest(harness, { ...request, headers }));
}

/** Starts a second server on the harness's store until the test ends. */
export async function serveToo({ clock, store, transport }: Harness): Promise<HttpClient> {
  const service = openService({ data: store.data, clock });
  const { close, http } = await transport.open(service);
  if (!http) throw new Error("There is no server.");
  onTestFinished(async () => {
    await close();
    await service.store.close();
  });
  return http;
}

/** Returns the status of an answer, and its error code if it has one. */
export function codeOf({ status, text }: WireAnswer): [status: number, code: string | undefined] {
  return [status, (JSON.parse(text) as { code?: string }).code];
}
