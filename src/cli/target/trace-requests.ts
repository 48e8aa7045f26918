import type { Fetch } from "../../client/call-types.ts";
import { makeTrace, toTraceHeaders } from "../../runtime/trace.ts";

/** The requests of a command have one trace, so that `undo` finds all changes of a command. */
export function traceRequests(fetch: Fetch): Fetch {
  const trace = toTraceHeaders(makeTrace());
  return (to, init) => fetch(to, { ...init, headers: { ...init.headers, ...trace } });
}
