import type { AnswerNamed } from "../../src/client/client.ts";
import { openService, type ServiceOptions } from "../../src/core/open-service.ts";
import type { Service } from "../../src/core/service.ts";
import type { ErrorBody } from "../../src/errors/errors.ts";
import { type ApiVersion, newestVersion } from "../../src/models/api-versions.ts";
import type { Role } from "../../src/models/user.ts";
import { loadOperation, type OperationName } from "../../src/operations/index.ts";
import { validateAnswer, validateRefusal } from "./answer-validator.ts";
import type { Json } from "./builders.ts";
import type { DatabaseKind, TestDatabase } from "./databases.ts";
import type { WireAnswer, WireRequest } from "./http-client.ts";
import { openPreparedStore } from "./prepared-store.ts";
import { type Acme, addCaller, type Caller, type Globex } from "./tenants.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";
import { type Transport, type TransportCall, type TransportKind, toWireRequest } from "./transports.ts";

/** A call of an operation at the newest version. */
export interface HarnessCall {
  /** The caller; by default Acme's Dispatcher. */
  as?: Role | Caller;
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | number | boolean>>;
  /** A JSON value. */
  body?: unknown;
  /** By default the newest. */
  version?: ApiVersion;
  dryRun?: boolean;
}

export interface HarnessAnswer {
  status: number;
  /** Names in lower case; empty in process. */
  headers: Record<string, string>;
  /** The JSON value; undefined for a file. */
  body: unknown;
  /** The bytes of a file; empty for JSON. */
  file: Uint8Array;
}

/** Further options of a harness's service. */
export type HarnessOptions = Pick<
  ServiceOptions,
  "allowsHaulerSignup" | "allowsPrivateHooks" | "fonts" | "hooksPerTenantMax" | "secretKeys"
>;

interface OpenHarness {
  acme: Acme;
  clock: TestClock;
  database: TestDatabase;
  globex: Globex;
  service: Service;
  transport: Transport;
}

/**
 * A fresh store with two tenants, and one transport to its operations. The clock stands still at `testStart`. A new
 * harness is closed, so that `describe` can use it; `open` fills it.
 */
export class Harness {
  readonly database: DatabaseKind;
  readonly transport: TransportKind;
  readonly #options: HarnessOptions;
  #opened: OpenHarness | undefined;

  constructor(database: DatabaseKind, transport: TransportKind, options: HarnessOptions = {}) {
    this.database = database;
    this.transport = transport;
    this.#options = options;
  }

  async open(): Promise<this> {
    const { acme, database, globex } = await openPreparedStore(this.database);
    const clock = createTestClock();
    const service = openService({ allowsPrivateHooks: true, ...this.#options, data: database.data, clock });
    const transport = await this.transport.open(service);
    this.#opened = { acme, clock, database, globex, service, transport };
    return this;
  }

  async close(): Promise<void> {
    const { database, service, transport } = this.#open;
    await transport.close();
    await service.store.close();
    database.remove();
    this.#opened = undefined;
  }

  get #open(): OpenHarness {
    if (!this.#opened) throw new Error("The harness is open inside of tests only.");
    return this.#opened;
  }

  get acme(): Acme {
    return this.#open.acme;
  }

  get globex(): Globex {
    return this.#open.globex;
  }

  get clock(): TestClock {
    return this.#open.clock;
  }

  get service(): Service {
    return this.#open.service;
  }

  /** Direct access to the store's database. */
  get store(): TestDatabase {
    return this.#open.database;
  }

  /** Logged internal errors. A test that expects some must remove them. */
  get faults(): string[] {
    return this.#open.transport.faults;
  }

  /** Creates a user of Acme with a token. */
  addCaller(user: Json, token: Json = {}): Promise<Caller> {
    return addCaller(this.service, this.acme, { username: `caller-${this.#nextNumber()}`, ...user }, token);
  }

  /** Calls an operation and returns its answer, errors included. Checks every answer against the OpenAPI document. */
  async call(name: OperationName, call: HarnessCall = {}): Promise<HarnessAnswer> {
    const operation = await loadOperation(name);
    const { version = newestVersion } = call;
    const answer = await this.#open.transport.call(operation, this.#toTransportCall(call));
    const body: unknown = answer.text === "" ? undefined : JSON.parse(answer.text);
    // In process, requests have no id.
    const requestId = this.#open.transport.http ? null : "00000000-0000-4000-8000-000000000000";
    const problems =
      answer.status === 200
        ? validateAnswer(operation, version, body ?? answer.file)
        : validateRefusal(operation, version, answer.status, body, requestId);
    if (problems.length > 0) throw new Error(`${name} answered out of form: ${problems.join("; ")}`);
    return { ...answer, body };
  }

  /** The request that `call` makes over HTTP, for another client to send. */
  async requestOf(name: OperationName, call: HarnessCall = {}): Promise<WireRequest> {
    return toWireRequest(await loadOperation(name), this.#toTransportCall(call));
  }

  #toTransportCall(call: HarnessCall): TransportCall {
    return {
      caller: this.callerOf(call.as ?? "Dispatcher"),
      params: toTexts(call.params ?? {}),
      query: toTexts(call.query ?? {}),
      bodyText: call.body === undefined ? undefined : JSON.stringify(call.body),
      version: call.version ?? newestVersion,
      dryRun: call.dryRun ?? false,
    };
  }

  /** Returns the body of a call that must succeed. */
  async ok<Name extends OperationName>(name: Name, call: HarnessCall = {}): Promise<AnswerNamed<Name>> {
    const { status, body } = await this.call(name, call);
    if (status !== 200) throw new Error(`${name} was refused: ${status} ${JSON.stringify(body)}`);
    return body as AnswerNamed<Name>;
  }

  /** Returns the error body of a call that must fail. */
  async refused(name: OperationName, call: HarnessCall = {}): Promise<ErrorBody> {
    const { status, body } = await this.call(name, call);
    if (status === 200) throw new Error(`${name} was not refused: ${JSON.stringify(body)}`);
    return body as ErrorBody;
  }

  /** The address of the server, like `http://127.0.0.1:8080`. Over HTTP only. */
  get origin(): string {
    return this.#http.origin;
  }

  /** Sends a raw request, over HTTP only; `headersOf` returns a caller's headers. */
  send(request: WireRequest): Promise<WireAnswer> {
    return this.#http.send(request);
  }

  /** Sends any bytes, valid request or not. Over HTTP only. */
  sendBytes(bytes: string | Uint8Array): Promise<string> {
    return this.#http.sendBytes(bytes);
  }

  /** The same, but ends its side of the connection after the last byte. */
  sendBytesAndLeave(bytes: string | Uint8Array): Promise<string> {
    return this.#http.sendBytesAndLeave(bytes);
  }

  get #http() {
    const { http } = this.#open.transport;
    if (!http) throw new Error("There is no server in process.");
    return http;
  }

  /** The two headers that identify the caller. */
  headersOf(as: Role | Caller): Record<string, string> {
    const { tenantId, token } = this.callerOf(as);
    return { authorization: `Bearer ${token}`, "x-tenant-id": String(tenantId) };
  }

  callerOf(as: Role | Caller): Caller {
    return typeof as === "string" ? this.acme.callers[as] : as;
  }

  #made = 0;

  #nextNumber(): number {
    this.#made += 1;
    return this.#made;
  }
}

function toTexts(values: Readonly<Record<string, string | number | boolean>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
