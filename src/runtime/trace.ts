import { randomBytes } from "node:crypto";
import { parseTraceState } from "./trace-state.ts";

/** The trace that a request belongs to (W3C Trace Context), and what goes on with it. */
export interface Trace {
  /** 32 hex digits. */
  id: string;
  /** The span that the request is part of and its flags, as the end of `traceparent` has them; null where none is known. */
  span: string | null;
  /** What other systems say of the trace, as `tracestate` has it; null for nothing. */
  state: string | null;
}

/** The headers that carry a trace. */
export interface TraceHeaders {
  traceparent?: string | undefined;
  tracestate?: string | undefined;
}

/**
 * The trace that the headers of a request name; without a valid `traceparent` one of its own, whose id is the request's without
 * its dashes, so that either leads to the other.
 */
export function toTrace({ traceparent, tracestate }: TraceHeaders, requestId: string): Trace {
  const known = traceparent === undefined ? null : parseTraceparent(traceparent);
  if (!known) return { id: requestId.replaceAll("-", "").toLowerCase(), span: null, state: null };
  return { ...known, state: tracestate === undefined ? null : parseTraceState(tracestate) };
}

/** The trace of an event as a store or a list has it; null of one that no request made. */
export function toStoredTrace(event: {
  trace_id?: string | null;
  trace_span?: string | null;
  trace_state?: string | null;
}): Trace | null {
  const { trace_id: id = null, trace_span: span = null, trace_state: state = null } = event;
  return id === null ? null : { id, span, state };
}

/** What carries a trace on; `spanId` is who carries it, which may be any random digits. */
export function toTraceHeaders({ id, span, state }: Trace, spanId = makeSpanId()) {
  const traceparent = `00-${id}-${spanId}-${span === null || isSampled(span) ? "01" : "00"}`;
  return { traceparent, ...(state !== null && { tracestate: state }) };
}

/** Whether who began the trace has it recorded. */
export const isSampled = (span: string): boolean => (Number.parseInt(span.slice(-2), 16) & 1) === 1;

/** A trace that begins here. */
export const makeTrace = (): Trace => ({ id: randomBytes(16).toString("hex"), span: null, state: null });

/** The id of a span, or of who carries a trace on. */
export const makeSpanId = () => randomBytes(8).toString("hex");

/** Later versions begin as this one does; ff is none. */
const form = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16}-[0-9a-f]{2})(-.*)?$/;

function parseTraceparent(header: string): Pick<Trace, "id" | "span"> | null {
  const [, version, id = zeros, span = zeros, more] = form.exec(header) ?? [];
  if (version === "00" && more !== undefined) return null;
  return isZero(id) || isZero(span.slice(0, 16)) ? null : { id, span };
}

const zeros = "0";

const isZero = (hex: string) => /^0+$/.test(hex);
