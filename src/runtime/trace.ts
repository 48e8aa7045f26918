import { randomBytes, randomUUID } from "node:crypto";

/** W3C Trace Context. */
export interface Trace {
  /** 32 hexadecimal digits. */
  id: string;
  /** The parent span and its flags, as in `traceparent`; null if unknown. */
  span: string | null;
  /** Other systems' `tracestate`. */
  state: string | null;
}

export interface TraceHeaders {
  traceparent?: string | undefined;
  tracestate?: string | undefined;
}

/** Without a valid `traceparent`, the trace id is the request id without dashes, so that either leads to the other. */
export function toTrace({ traceparent, tracestate }: TraceHeaders, requestId: string): Trace {
  const known = traceparent === undefined ? null : parseTraceparent(traceparent);
  if (!known) return { id: requestId.replaceAll("-", "").toLowerCase(), span: null, state: null };
  return { ...known, state: tracestate === undefined ? null : parseTraceState(tracestate) };
}

/** null for an event without a request. */
export function toStoredTrace(event: {
  trace_id?: string | null;
  trace_span?: string | null;
  trace_state?: string | null;
}): Trace | null {
  const { trace_id: id = null, trace_span: span = null, trace_state: state = null } = event;
  return id === null ? null : { id, span, state };
}

/** `spanId` is the sender's span and may be random. */
export function toTraceHeaders({ id, span, state }: Trace, spanId = makeSpanId()) {
  const traceparent = `00-${id}-${spanId}-${span === null || isSampled(span) ? "01" : "00"}`;
  return { traceparent, ...(state !== null && { tracestate: state }) };
}

/** Whether the first system records the trace. */
export const isSampled = (span: string): boolean => (Number.parseInt(span.slice(-2), 16) & 1) === 1;

export const makeTrace = (): Trace => ({ id: randomBytes(16).toString("hex"), span: null, state: null });

// Node makes UUIDs in batches, so this is faster than randomBytes. These digits have no version.
export const makeSpanId = (): string => {
  const uuid = randomUUID();
  return uuid.slice(0, 8) + uuid.slice(-8);
};

/** Later versions start like this one. ff is invalid. */
const form = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16}-[0-9a-f]{2})(-.*)?$/;

function parseTraceparent(header: string): Pick<Trace, "id" | "span"> | null {
  const [, version, id = zeros, span = zeros, more] = form.exec(header) ?? [];
  if (version === "00" && more !== undefined) return null;
  return isZero(id) || isZero(span.slice(0, 16)) ? null : { id, span };
}

const zeros = "0";

const isZero = (hex: string) => /^0+$/.test(hex);

const membersMax = 32;
const lengthMax = 512;
/** A list that is too long drops longer members first. */
const shortLengthMax = 128;

const memberKey = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;
const memberValue = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** Keeps `tracestate` (W3C Trace Context, 3.3) within 512 characters. null for an empty or invalid list. */
function parseTraceState(header: string): string | null {
  const members = header
    .split(",")
    .map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ""))
    .filter((member) => member !== "");
  const keys = members.map((member) => member.slice(0, Math.max(0, member.indexOf("="))));
  const isValid = members.every((member, at) => {
    const name = keys[at] ?? "";
    return memberKey.test(name) && memberValue.test(member.slice(name.length + 1));
  });
  if (!isValid || members.length > membersMax || new Set(keys).size < keys.length) return null;
  const isLong = members.join(",").length > lengthMax;
  const kept = isLong ? members.filter((member) => member.length <= shortLengthMax) : members;
  while (kept.join(",").length > lengthMax) kept.pop();
  return kept.length === 0 ? null : kept.join(",");
}
