import { type AnswerNamed, type Client, untyped } from "../../../client/client.ts";
import { DispatchError, errorKind, exitCodes, toExitCode } from "../../../errors/errors.ts";
import type { ApiVersion } from "../../../models/api-versions.ts";
import type { HookEvent } from "../../../models/event-kinds.ts";
import { viewableRecordsMax } from "../../../models/page-limits.ts";

export interface ListedEvent {
  action: string;
  created_on: string;
  data: Readonly<Record<string, unknown>>;
  id: string;
  record_id: number;
  trace_id?: string | null;
  trace_state?: string | null;
  type: HookEvent;
}

/** Readable from any event. */
export interface EventLog {
  /** In the order of commits. null starts with the oldest. */
  next(after: string | null): Promise<ListedEvent[]>;
  /** null for an empty log. */
  findEnd(): Promise<string | null>;
}

export function openEventLog(client: Client, version: ApiVersion): EventLog {
  const list = (after: string | null, index: number, limit: number) => {
    const request = { query: { after, page_index: index, page_limit: limit }, version };
    return untyped(client).call("events.list", request) as Promise<AnswerNamed<"events.list">>;
  };

  return {
    next: async (after) => (await list(after, 1, pageLimit)).results,
    async findEnd() {
      let end: string | null = null;
      // A list counts only up to a limit, so a long log takes several lists.
      for (;;) {
        const { total_count: total } = await list(end, 1, endLimit);
        if (total === 0) return end;
        const { results } = await list(end, Math.ceil(total / endLimit), endLimit);
        end = results.at(-1)?.id ?? end;
        if (total < viewableRecordsMax) return end;
      }
    },
  };
}

const pageLimit = 100;

const endLimit = 10;

/** Whether the log no longer has the event to continue after. */
export function isForgotten(error: unknown): boolean {
  return error instanceof DispatchError && error.violations.some(({ field }) => field === "after");
}

export interface Patience {
  retryMs: number;
  wait(ms: number): Promise<void>;
  hasEnded(): boolean;
  tell(text: string): void;
}

const firstPauseMs = 250;
const pauseMsMax = 5000;

/** Retries for a while if the target is unreachable, busy, or limits requests. */
export function toPatientLog(log: EventLog, { retryMs, wait, hasEnded, tell }: Patience): EventLog {
  async function next(after: string | null) {
    let awaySince: number | null = null;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, pauseMsMax)) {
      try {
        const events = await log.next(after);
        if (awaySince !== null) tell("The target is back; listening continues.");
        return events;
      } catch (error) {
        const now = performance.now();
        const leftMs = retryMs - (now - (awaySince ?? now));
        if (!isAway(error) || leftMs <= 0) throw error;
        if (awaySince === null)
          tell(`The target is unreachable: ${error.message} Retrying for ${Math.ceil(retryMs / 1000)} s.`);
        awaySince ??= now;
        await wait(Math.min(pauseMs, leftMs));
      }
      if (hasEnded()) return [];
    }
  }
  return { ...log, next };
}

function isAway(error: unknown): error is DispatchError {
  if (!(error instanceof DispatchError)) return false;
  // A server may return unknown codes.
  const answered = error.body;
  const code = answered ? toExitCode(answered.status) : errorKind(error.code).exitCode;
  return code === exitCodes.unreachable || code === exitCodes.limited;
}
