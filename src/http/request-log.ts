import type { JsonLog } from "../runtime/json-log.ts";
import { type WorkFacts, WorkNotes } from "../runtime/noted-work.ts";
import type { FinishedRequest } from "./finished-request.ts";
import type { Client } from "./http-messages.ts";
import { increment } from "./metrics/request-counts.ts";

/** Lines per second for callers without a valid token. */
const linesMax = 100;

const windowMs = 1000;

/** Monitoring asks for these every few seconds. Lines of good responses would hide the others. */
const probes: ReadonlySet<string> = new Set(["healthz", "readyz", "metrics"]);

const addressesMax = 1000;
const addressesShown = 5;

export interface RequestLog {
  write(finished: FinishedRequest, client: Client): void;
  close(): void;
}

interface RequestLogOptions {
  namesTokens?: boolean;
  /** Slower requests get a second line with the reasons. Default: none. */
  slowMs?: number | undefined;
}

/** One line per request. Above 100 unauthenticated requests per second, they share a line, to protect the disk. */
export function createRequestLog(
  log: JsonLog,
  { namesTokens = false, slowMs }: RequestLogOptions = {},
): RequestLog {
  let requests = 0;
  let isFlood = false;
  let summary = new Summary();
  let timer: NodeJS.Timeout | undefined;
  const startWindow = () => {
    timer ??= setTimeout(endWindow, windowMs).unref();
  };
  const endWindow = () => {
    timer = undefined;
    if (summary.requests > 0) log.info(summary.toLine(), "unauthenticated requests");
    isFlood = requests > linesMax;
    requests = 0;
    summary = new Summary();
    if (isFlood) startWindow();
  };
  return {
    write(finished, { isKnown, isStream = false, page, token, work }) {
      const isSlow = slowMs !== undefined && !isStream && (finished.duration_ms ?? 0) >= slowMs;
      if (!isSlow && isGoodProbe(finished, page)) return log.debug(finished, "request");
      // The level may change at any time.
      if (!log.isLevelEnabled(isSlow ? "warn" : "info")) return;
      if (!isKnown) {
        startWindow();
        requests += 1;
        if (isFlood || requests > linesMax) return summary.add(finished.status, finished.client_ip ?? "");
      }
      const isNamed = isKnown && namesTokens;
      log.info(isNamed ? { ...finished, token_name: token?.name } : finished, "request");
      if (isSlow) log.warn(toSlowRequest(finished, work), "slow request");
    },
    close() {
      clearTimeout(timer);
      endWindow();
      clearTimeout(timer);
    },
  };
}

const isGoodProbe = ({ status }: FinishedRequest, page: string | undefined) =>
  page !== undefined && probes.has(page) && status < 400;

class Summary {
  requests = 0;
  readonly #statuses = new Map<number, number>();
  readonly #addresses = new Map<string, number>();

  add(status: number, address: string): void {
    this.requests += 1;
    increment(this.#statuses, status);
    if (this.#addresses.size < addressesMax || this.#addresses.has(address))
      increment(this.#addresses, address);
  }

  toLine() {
    const most = [...this.#addresses].sort(([, a], [, b]) => b - a).slice(0, addressesShown);
    const shown = most.reduce((sum, [, count]) => sum + count, 0);
    return {
      requests: this.requests,
      statuses: Object.fromEntries(this.#statuses),
      client_ips: Object.fromEntries(most),
      other_client_ips: this.requests - shown,
    };
  }
}

const statementsShown = 10;
const sqlCharactersMax = 400;

/** Only slow requests have these. */
export interface SlowRequest extends FinishedRequest {
  /** The sum of all statements. Parallel statements on PostgreSQL count separately. */
  statement_count: number;
  statement_ms: number;
  /** The slowest statements, by text. */
  statements: { sql: string; count: number; ms: number }[];
  waits_ms: Readonly<Record<string, number>>;
}

function toSlowRequest(
  finished: FinishedRequest,
  { others, statements, waitsMs }: WorkFacts = new WorkNotes(),
): SlowRequest {
  const all = [...statements];
  const sum = { ...others };
  for (const [, { count, ms }] of all) {
    sum.count += count;
    sum.ms += ms;
  }
  const longest = all.sort(([, a], [, b]) => b.ms - a.ms).slice(0, statementsShown);
  return {
    ...finished,
    statement_count: sum.count,
    statement_ms: round(sum.ms),
    statements: longest.map(([sql, { count, ms }]) => ({ sql: toShownSql(sql), count, ms: round(ms) })),
    waits_ms: Object.fromEntries(Object.entries(waitsMs).map(([wait, ms]) => [wait, round(ms)])),
  };
}

const round = (ms: number) => Math.round(ms * 10) / 10;

/** Replaces values, joins lines, and shortens lists of placeholders. */
export function toShownSql(sql: string): string {
  const text = sql
    .replace(/'(?:[^']|'')*'/g, "?")
    .replace(/(?<![\w$"])-?\d+(?:\.\d+)?\b/g, "?")
    .replace(/((?:\?|\$\d+)(?:, )?){4,}/g, "?, …")
    .replace(/\s+/g, " ")
    .trim();
  return text.length > sqlCharactersMax ? `${text.slice(0, sqlCharactersMax - 1)}…` : text;
}
