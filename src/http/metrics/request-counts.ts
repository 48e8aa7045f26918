import { LRUCache } from "lru-cache";
import { TimeCounts } from "../../runtime/time-counts.ts";
import type { FinishedRequest } from "../finished-request.ts";
import { type Figure, toCounter, toHistogram } from "./figures.ts";
import { metricsPath } from "./metrics-page.ts";

type CountedRequest = Pick<FinishedRequest, "code" | "duration_ms" | "operation" | "status" | "tenant_id">;

/** For unknown paths and methods, and bytes that are not a request. */
const noOperation = "unknown";

const scrapes = metricsPath.slice(1);

/** In seconds. Few bounds, because each is a series of every operation. */
const durationBounds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Evicted tenants count together. */
const tenantsMax = 10_000;

/** Plain numbers, because every request pays for them. Labels never come from a request's text. */
export class RequestCounts {
  readonly #operations = new Map<string, OperationCounts>();
  readonly #codes = new Map<string, number>();
  readonly #classes = { none: 0, busiest: 0, other: 0 };
  readonly #tenants = new LRUCache<number, { requests: number }>({
    max: tenantsMax,
    dispose: ({ requests }) => {
      this.#classes.other += requests;
    },
  });
  readonly #scrapes = new Map<number, number>();
  #limited = 0;

  note({ code, duration_ms, operation, status, tenant_id }: CountedRequest, page = noOperation): void {
    if (page === scrapes) {
      increment(this.#scrapes, status);
      return;
    }
    this.#countOperation(operation ?? page, status, duration_ms);
    if (tenant_id === null) this.#classes.none += 1;
    else this.#countTenant(tenant_id);
    if (code === null) return;
    increment(this.#codes, code);
    if (status === 429) this.#limited += 1;
  }

  read(): Figure[] {
    this.#sortTenants();
    const operations = [...this.#operations];
    return [
      toCounter(
        "dispatch_http_requests_total",
        "Finished requests without scrapes, by `operation` and `status`; pages by their name (`readyz`), unknown paths as `unknown`; 499: the client disconnected.",
        operations.flatMap(([operation, { statuses }]) =>
          [...statuses].map(([status, count]): Counted => [{ operation, status }, count]),
        ),
      ),
      toHistogram(
        "dispatch_http_request_duration_seconds",
        "Duration from the head of a request to the end of its answer, by `operation`.",
        operations.map(([operation, { durations }]) => [{ operation }, durations]),
      ),
      toCounter(
        "dispatch_http_errors_total",
        "Error answers, by the `code` in the body.",
        [...this.#codes].map(([code, count]) => [{ code }, count]),
      ),
      toCounter("dispatch_rate_limited_total", "Requests answered 429.", [[{}, this.#limited]]),
      toCounter(
        "dispatch_scrapes_total",
        "Requests for `/metrics`, by `status`; no other metric counts them.",
        [...this.#scrapes].map(([status, count]) => [{ status }, count]),
      ),
      toCounter(
        "dispatch_tenant_requests_total",
        "Requests by `class` of tenant: `busiest` has the most since the last scrape, `other` is the rest, `none` has no verified tenant.",
        Object.entries(this.#classes).map(([name, count]) => [{ class: name }, count]),
      ),
    ];
  }

  #countOperation(operation: string, status: number, durationMs: number | null): void {
    let counts = this.#operations.get(operation);
    if (!counts) {
      counts = { statuses: new Map(), durations: new TimeCounts(durationBounds) };
      this.#operations.set(operation, counts);
    }
    increment(counts.statuses, status);
    if (durationMs !== null) counts.durations.addMs(durationMs);
  }

  #countTenant(tenantId: number): void {
    const known = this.#tenants.get(tenantId);
    if (known) known.requests += 1;
    else this.#tenants.set(tenantId, { requests: 1 });
  }

  #sortTenants(): void {
    const busiest = Math.max(0, ...[...this.#tenants.values()].map(({ requests }) => requests));
    this.#tenants.clear();
    // The loop has already counted the busiest tenant among the others.
    this.#classes.other -= busiest;
    this.#classes.busiest += busiest;
  }
}

type Counted = [{ operation: string; status: number }, number];

interface OperationCounts {
  statuses: Map<number, number>;
  durations: TimeCounts;
}

export function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
