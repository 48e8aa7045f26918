import { DispatchError, failure } from "../../errors/errors.ts";

const unreadable: Record<string, string> = {
  "28000": "refuses the user",
  "28P01": "refuses the user name or the password",
  "3D000": "does not exist",
  "3F000": "has no such schema",
  "42501": "does not grant the user the necessary rights",
  "0LP01": "does not grant the user the necessary rights",
};

/** Temporary faults by SQLSTATE or, with two or three characters, its class. */
const unavailable: Record<string, string> = {
  "08": "The connection to the database broke",
  "25006": "The database is read-only, perhaps a standby: send changes to a server on the primary",
  "25P03": "The database ended a transaction that waited too long",
  "40001": "Others changed the same records at the same moment",
  "40P01": "Others changed the same records at the same moment",
  "53100": "The disk of the database is full",
  "53300": "The database has no connection left",
  "53": "The database lacks memory or space",
  "55P03": "The database is locked by others",
  "57014": "The database did not answer in time",
  "57P": "The database is starting, stopping or restarting",
  "58": "The database's machine fails",
};

const network: [pattern: RegExp, text: string][] = [
  [/ECONNREFUSED|ENOENT/, "No database answers there"],
  [/ENOTFOUND|EAI_AGAIN/, "The database's host name cannot be resolved"],
  [
    /ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ECONNABORTED/,
    "The connection to the database broke",
  ],
  [/Connection terminated due to connection timeout/, "The database did not answer in time"],
  [/timeout exceeded when trying to connect/, "All connections to the database are in use"],
  [/Query read timeout/, "The database did not answer in time"],
  [/Connection terminated|not queryable|Client was closed/i, "The connection to the database broke"],
];

/** PgBouncer reports these states as protocol errors. */
const poolerStates: [pattern: RegExp, state: string][] = [
  [/authentication failed|no such user|password/i, "28P01"],
  [/no such database|database .* does not exist/i, "3D000"],
  [/no more connections allowed|query_wait_timeout/i, "53300"],
];

/** Faults of TLS: waiting does not help. */
const tls = /does not support SSL|CERT|certificate|SELF_SIGNED|ALTNAME|EPROTO|UNABLE_TO/;

/** Converts driver errors. While a store opens, store_unreadable names it; later errors are temporary. */
export function toStoreError(error: unknown, shown: string, isOpening: boolean): unknown {
  if (error instanceof DispatchError || !(error instanceof Error)) return error;
  const state = stateOf(error);
  const refusal = unreadable[state] ?? (isTlsError(error) ? untrusted(error, isOpening) : undefined);
  if (refusal !== undefined && (isOpening || state !== "42501")) {
    const text = `The database${isOpening ? ` at ${shown}` : ""} ${refusal}.`;
    return failure(isOpening ? "store_unreadable" : "store_unavailable", text, null, error);
  }
  const reason = reasonOf(error, state);
  return reason === undefined
    ? error
    : failure("store_unavailable", `${reason}${isOpening ? ` (${shown})` : ""}.`, null, error);
}

/** Only while opening: Node.js's message names the host. */
const untrusted = ({ message }: Error, isOpening: boolean) =>
  `offers no trusted connection${isOpening ? `: ${message}` : ""}`;

export function stateOf(error: unknown): string {
  const source = error instanceof DispatchError ? error.cause : error;
  const code = source instanceof Error && "code" in source ? String(source.code) : "";
  if (code === "08P01" && source instanceof Error)
    return poolerStates.find(([pattern]) => pattern.test(source.message))?.[1] ?? code;
  // A standby says so if a transaction begins with READ WRITE.
  if (code === "0A000" && source instanceof Error && /during recovery/.test(source.message)) return "25006";
  return /^[0-9A-Z]{5}$/.test(code) ? code : "";
}

/** Whether other users of the same records or connections caused the error. */
export function isOfOthers(error: DispatchError): boolean {
  return !error.cause || ["40001", "40P01", "53300", "55P03", "57014"].includes(stateOf(error));
}

/** Whether to close the connection. A server that became read-only counts: its name may lead to another server. */
export function isConnectionLost(error: unknown): boolean {
  const source = error instanceof DispatchError ? error.cause : error;
  const state = stateOf(source);
  if (state !== "") return /^(?:08|57P|25006|25P03|25P04)/.test(state);
  return source instanceof Error && networkReason(source) !== undefined;
}

function reasonOf(error: Error, state: string): string | undefined {
  if (state === "") return networkReason(error);
  return unavailable[state] ?? unavailable[state.slice(0, 3)] ?? unavailable[state.slice(0, 2)];
}

function networkReason(error: Error): string | undefined {
  const errors = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const text = errors.map((each) => `${codeOf(each)} ${(each as Error).message}`).join(" ");
  return network.find(([pattern]) => pattern.test(text))?.[1];
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "");

const isTlsError = (error: Error) =>
  stateOf(error) === "" && (tls.test(codeOf(error)) || tls.test(error.message));
