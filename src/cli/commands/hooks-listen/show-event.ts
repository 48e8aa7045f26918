import type { CliContext } from "../../context.ts";
import { tell, tellJson } from "../../output/tell.ts";
import type { Settings } from "../../settings.ts";
import type { ListedEvent } from "./event-log.ts";
import type { Forwarded } from "./forward.ts";

/**
 * Shows an event, and what came of forwarding it, in one line; for programs as JSON. `verbose` adds headers and body.
 */
export function showEvent(
  { stdout }: CliContext,
  { form }: Settings,
  event: ListedEvent,
  forwarded: Forwarded | null,
  verbose: boolean,
): void {
  const { action, created_on, data, id, record_id, type } = event;
  if (form !== "table") {
    const sent = forwarded && {
      attempts: forwarded.attempts,
      duration_ms: forwarded.durationMs,
      http_status: forwarded.status,
      message: forwarded.message,
    };
    const shown = { action, created_on, id, record_id, type, ...sent, ...(verbose && { data }) };
    tellJson(stdout, shown);
    return;
  }
  const outcome = forwarded ? `  ${toText(forwarded)}` : "";
  tell(stdout, `${created_on.slice(0, 19)}  ${type} ${record_id} ${action}${outcome}`);
  if (!verbose) return;
  for (const [name, value] of Object.entries(forwarded?.request.headers ?? {}))
    tell(stdout, `  ${name}: ${value}`);
  tell(stdout, `  ${forwarded?.request.body ?? JSON.stringify(data)}`);
}

function toText({ attempts, durationMs, isDuplicated, isSuccess, message, status }: Forwarded): string {
  const tries = attempts === 1 ? "" : `, attempt ${attempts}`;
  const twice = isDuplicated ? ", sent twice" : "";
  return isSuccess
    ? `${status} in ${durationMs} ms${tries}${twice}`
    : `given up after ${attempts}: ${message}`;
}
