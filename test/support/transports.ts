import { untyped } from "../../src/client/client.ts";
import { isDocument, type Operation, routeOf } from "../../src/core/operation.ts";
import type { Service } from "../../src/core/service.ts";
import { authenticate, toHomeActor, toTenantActor } from "../../src/core/tokens.ts";
import { DispatchError, toErrorBody } from "../../src/errors/errors.ts";
import { identifyByToken } from "../../src/http/identify.ts";
import { buildServer } from "../../src/http/server.ts";
import type { ApiVersion } from "../../src/models/api-versions.ts";
import { toRequestInput } from "../../src/models/versions/index.ts";
import { linkCures } from "../../src/operations/link-cures.ts";
import { createHttpClient, type HttpClient, type WireAnswer, type WireRequest } from "./http-client.ts";
import { createLocalClient } from "./local-client.ts";
import type { Caller } from "./tenants.ts";

/** A call that both transports accept: parameters as text, the body as JSON text. */
export interface TransportCall {
  caller: Caller;
  params: Record<string, string>;
  query: Record<string, string>;
  bodyText: string | undefined;
  version: ApiVersion;
  dryRun: boolean;
}

export interface TransportAnswer {
  status: number;
  /** Empty in process. */
  headers: Record<string, string>;
  /** JSON text; empty for a file. */
  text: string;
  /** The bytes of a file; empty for JSON. */
  file: Uint8Array;
}

/** A way to call operations: in process or over HTTP. */
export interface Transport {
  call(operation: Operation, call: TransportCall): Promise<TransportAnswer>;
  /** Sends raw requests to the server. Null in process. */
  http: HttpClient | null;
  /** Internal errors that the server logged. */
  faults: string[];
  close(): Promise<void>;
}

export interface TransportKind {
  name: "in process" | "HTTP";
  open(service: Service): Promise<Transport>;
}

const inProcess: TransportKind = {
  name: "in process",
  open: async (service) => ({
    call: (operation, call) => callInProcess(service, operation, call),
    http: null,
    faults: [],
    close: async () => {},
  }),
};

async function callInProcess(
  service: Service,
  operation: Operation,
  { caller, params, query, bodyText, version, dryRun }: TransportCall,
): Promise<TransportAnswer> {
  try {
    const token = await authenticate(service, `Bearer ${caller.token}`);
    const actor =
      operation.allow === "token"
        ? await toHomeActor(service, token)
        : await toTenantActor(service, token, caller.tenantId);
    const body = bodyText === undefined ? undefined : JSON.parse(bodyText);
    const request = { params, query, body, version, dryRun };
    const { bytes } = await untyped(createLocalClient(service, actor)).exchange(operation.name, request);
    const ok = { status: 200, headers: {}, text: "", file: new Uint8Array() };
    return isDocument(operation.output)
      ? { ...ok, file: new Uint8Array(bytes) }
      : { ...ok, text: Buffer.from(bytes).toString() };
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    const body = toErrorBody(error, null, await linkCures(error));
    return { status: body.status, headers: {}, text: JSON.stringify(body), file: new Uint8Array() };
  }
}

const overHttp: TransportKind = {
  name: "HTTP",
  async open(service) {
    const faults: string[] = [];
    const app = await buildServer(service, {
      identify: identifyByToken(service),
      logLevel: "error",
      log: { write: (line) => void faults.push(line) },
    });
    const http = createHttpClient(await app.listen({ host: "127.0.0.1", port: 0 }));
    return {
      call: async (operation, call) => toTransportAnswer(await http.send(toWireRequest(operation, call))),
      http,
      faults,
      close: async () => {
        await http.close();
        await app.close();
      },
    };
  },
};

/** Converts a call to the request of a remote caller. At an old version the body has that version's form. */
export function toWireRequest(operation: Operation, call: TransportCall): WireRequest {
  const { caller, params, bodyText, version, dryRun } = call;
  const given = { query: call.query, body: bodyText === undefined ? undefined : JSON.parse(bodyText) };
  const sent = toRequestInput(operation.name, version, given);
  const { method, path: template } = routeOf(operation);
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ""));
  const query = new URLSearchParams(sent.query).toString();
  return {
    method,
    path: query === "" ? path : `${path}?${query}`,
    headers: {
      authorization: `Bearer ${caller.token}`,
      "x-api-version": version,
      "x-tenant-id": String(caller.tenantId),
      ...(dryRun && { "x-dry-run": "true" }),
      ...(sent.body !== undefined && { "content-type": "application/json" }),
    },
    // Send an unchanged body byte for byte, including `__proto__` keys.
    ...(sent.body !== undefined && { body: sent === given ? bodyText : JSON.stringify(sent.body) }),
  };
}

function toTransportAnswer({ status, headers, text, bytes }: WireAnswer): TransportAnswer {
  const isJson = headers["content-type"] === "application/json";
  return isJson
    ? { status, headers, text, file: new Uint8Array() }
    : { status, headers, text: "", file: bytes };
}

export const transports: readonly TransportKind[] = [inProcess, overHttp];
