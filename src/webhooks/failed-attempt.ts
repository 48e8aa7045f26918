import { errors } from "undici";
import { AddressRefusedError, NameError } from "./address-guard.ts";
import { toFailed, type UntimedOutcome } from "./attempt-outcome.ts";

/** Decides the meaning of a timeout or an error. */
export type Phase = "resolving" | "connecting" | "securing" | "waiting";

export class ConnectionStopped extends Error {
  readonly why: "timeout" | "closed";

  constructor(why: ConnectionStopped["why"]) {
    super(why);
    this.why = why;
  }
}

interface Circumstances {
  where: string;
  phase: Phase;
  isCertificateRefused: boolean;
}

export const closedMessage = "The attempt was stopped because the sender is shutting down.";

/** Turns an error into a failure with a sentence for users. */
export function toFailure(error: unknown, circumstances: Circumstances, timeoutMs: number): UntimedOutcome {
  if (error instanceof AddressRefusedError) return toFailed("refused_address", error.message);
  if (error instanceof NameError) return toFailed("name", error.message);
  if (error instanceof ConnectionStopped) {
    return error.why === "closed"
      ? toFailed("closed", closedMessage)
      : toFailed("timeout", toTimeoutMessage(circumstances, timeoutMs));
  }
  const shown = toShownError(error);
  if (circumstances.phase === "securing") return toFailed("tls", toTlsMessage(shown, circumstances));
  if (isProtocolError(error)) {
    return toFailed("protocol", `The answer of ${circumstances.where} is not valid HTTP: ${shown.message}.`);
  }
  return toConnectionFailure(shown, circumstances);
}

function toTimeoutMessage({ phase, where }: Circumstances, timeoutMs: number): string {
  const within = `within ${timeoutMs / 1000} s`;
  return {
    resolving: `The name of ${where} was not resolved ${within}.`,
    connecting: `No connection to ${where} ${within} – does a firewall block it?`,
    securing: `The TLS handshake with ${where} was not finished ${within}.`,
    waiting: `No answer from ${where} ${within}.`,
  }[phase];
}

function toTlsMessage({ code, message }: ShownError, { where, isCertificateRefused }: Circumstances): string {
  if (isCertificateRefused) return `The certificate of ${where} is not trusted: ${message}.`;
  return code === "ERR_SSL_WRONG_VERSION_NUMBER"
    ? `${where} does not speak TLS – is http:// meant?`
    : `The TLS handshake with ${where} failed: ${message}.`;
}

function isProtocolError(error: unknown): boolean {
  if (error instanceof errors.SocketError) {
    // "bad upgrade" or "bad response": an unrequested status (101, 100).
    return error.message.startsWith("bad ");
  }
  return (
    error instanceof errors.HTTPParserError ||
    error instanceof errors.HeadersOverflowError ||
    error instanceof errors.ResponseContentLengthMismatchError
  );
}

const lostCodes = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

export function isLostConnection(error: unknown): boolean {
  return lostCodes.has(toShownError(error).code) && !isProtocolError(error);
}

const noRouteCodes = new Set(["EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"]);

function toConnectionFailure({ code, message }: ShownError, { where }: Circumstances): UntimedOutcome {
  if (noRouteCodes.has(code)) {
    return toFailed("connection", `${where} cannot be reached from this machine: no route leads to it.`);
  }
  switch (code) {
    case "ECONNREFUSED":
      return toFailed("connection", `Connection refused by ${where} – is the receiver running?`);
    case "ECONNRESET":
    case "EPIPE":
    case "UND_ERR_SOCKET":
      return toFailed("connection", `${where} closed the connection before it answered.`);
    case "ETIMEDOUT":
      return toFailed("timeout", `No connection to ${where}: it did not respond.`);
    default:
      return toFailed("other", `The request to ${where} failed: ${message}.`);
  }
}

interface ShownError {
  code: string;
  message: string;
}

function toShownError(error: unknown): ShownError {
  if (error instanceof AggregateError) {
    // One error for each address. A missing route (a machine without IPv6) is the least informative.
    const shown = error.errors.map(toShownError);
    return shown.find(({ code }) => !noRouteCodes.has(code)) ?? shown[0] ?? { code: "", message: "" };
  }
  if (!(error instanceof Error)) return { code: "", message: String(error) };
  const code = "code" in error ? String(error.code) : "";
  // OpenSSL's messages contain its source files; `reason` is readable.
  const message = "reason" in error ? String(error.reason) : error.message;
  return { code, message };
}
