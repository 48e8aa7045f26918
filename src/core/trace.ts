/**
 * The id of the trace that a request belongs to (W3C Trace Context): the one that `traceparent` names, else the request's own
 * id without its dashes, so that either leads to the other. A header that is not valid is passed over.
 */
export function toTraceId(traceparent: string | undefined, requestId: string): string {
  const known = traceparent === undefined ? null : parseTraceparent(traceparent);
  return known ?? requestId.replaceAll("-", "").toLowerCase();
}

/** What carries a trace on: its id, an id for who carries it, and that it is sampled. Either may be any random digits. */
export const toTraceparent = (traceId: string, spanId: string): string => `00-${traceId}-${spanId}-01`;

/** Later versions begin as this one does; ff is none. */
const form = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

function parseTraceparent(header: string): string | null {
  const [, version, traceId = zeros, parentId = zeros, more] = form.exec(header) ?? [];
  if (version === "00" && more !== undefined) return null;
  return isZero(traceId) || isZero(parentId) ? null : traceId;
}

const zeros = "0";

const isZero = (hex: string) => /^0+$/.test(hex);
