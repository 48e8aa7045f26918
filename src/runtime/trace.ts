import { randomBytes } from "node:crypto";
import { parseTraceState } from "./trace-state.ts";

/** The trace of a request (W3C Trace Context). */
export interface Trace {
  /** 32 hexadecimal digits. */
  id: string;
  /** The parent span and its flags, as in `traceparent`; null when unknown. */
  span: string | null;
  /** Other systems' `tracestate`; null without one. */
  state: string | null;
}

export interface TraceHeaders {
  traceparent?: string | undefined;
  tracestate?: string | undefined;
}

/**
 * The trace in the headers of a request. Without a valid `traceparent` the request's id without dashes becomes the
 * trace's, so that either leads to the other.
 */
export function toTrace({ traceparent, tracestate }: TraceHeaders, requestId: string): Trace {
  const known = traceparent === undefined ? null : parseTraceparent(traceparent);
  if (!known) return { id: requestId.replaceAll("-", "").toLowerCase(), span: null, state: null };
  return { ...known, state: tracestate === undefined ? null : parseTraceState(tracestate) };
}

/** The stored trace of an event; null for an event without a request. */
export function toStoredTrace(event: {
  trace_id?: string | null;
  trace_span?: string | null;
  trace_state?: string | null;
}): Trace | null {
  const { trace_id: id = null, trace_span: span = null, trace_state: state = null } = event;
  return id === null ? null : { id, span, state };
}

/** The headers for the next system; `spanId` is the sender's and may be random. */
export function toTraceHeaders({ id, span, state }: Trace, spanId = makeSpanId()) {
  const traceparent = `00-${id}-${spanId}-${span === null || isSampled(span) ? "01" : "00"}`;
  return { traceparent, ...(state !== null && { tracestate: state }) };
}

/** Whether the first system records the trace. */
export const isSampled = (span: string): boolean => (Number.parseInt(span.slice(-2), 16) & 1) === 1;

export const makeTrace = (): Trace => ({ id: randomBytes(16).toString("hex"), span: null, state: null });

export const makeSpanId = () => randomBytes(8).toString("hex");

/** Later versions start like this one; ff is invalid. */
const form = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16}-[0-9a-f]{2})(-.*)?$/;

function parseTraceparent(header: string): Pick<Trace, "id" | "span"> | null {
  const [, version, id = zeros, span = zeros, more] = form.exec(header) ?? [];
  if (version === "00" && more !== undefined) return null;
  return isZero(id) || isZero(span.slice(0, 16)) ? null : { id, span };
}

const zeros = "0";

const isZero = (hex: string) => /^0+$/.test(hex);
