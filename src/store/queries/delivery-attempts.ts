import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type Parameter } from "../access/compiled.ts";

/** Bodies are cut to the stored length. */
export interface AttemptEntry {
  deliveryId: number;
  /** From 1. */
  attempt: number;
  durationMs: number;
  /** −1 when the call did not succeed or complete. */
  httpStatus: number;
  message: string;
  request: { url: string; headers: Readonly<Record<string, string>>; body: string };
  response: { headers: Readonly<Record<string, string>>; body: string } | null;
  startedOn: Timestamp;
}

export function attemptLogQueries(access: TenantAccess) {
  return {
    async addAttempts(entries: readonly AttemptEntry[]): Promise<void> {
      for (let from = 0; from < entries.length; ) {
        const count = toCount(entries.length - from);
        const rows = entries.slice(from, from + count).map(toAttemptRow);
        await access.run(insertAttempts, toValues(rows), count);
        from += count;
      }
    },
  };
}

/** A statement has a limited number of parameters. */
const rowsMax = 64;

/** A power of two, so that few statements are compiled. */
function toCount(left: number): number {
  return Math.min(rowsMax, 2 ** Math.floor(Math.log2(left)));
}

type AttemptRow = ReturnType<typeof toAttemptRow>;

function toAttemptRow(entry: AttemptEntry) {
  const { deliveryId, attempt, durationMs, httpStatus, message, request, response, startedOn } = entry;
  return {
    attempt,
    delivery_id: deliveryId,
    duration_ms: durationMs,
    http_status: httpStatus,
    message,
    request_body: request.body,
    request_headers: JSON.stringify(request.headers),
    response_body: response?.body ?? null,
    response_headers: response && JSON.stringify(response.headers),
    started_on: startedOn,
    url: request.url,
  };
}

type Value = AttemptRow[keyof AttemptRow];

/** By column and row number. */
function toValues(rows: readonly AttemptRow[]): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [index, row] of rows.entries()) {
    for (const [column, value] of Object.entries(row)) values[`${column} ${index}`] = value;
  }
  return values;
}

const insertAttempts = defineStatement(
  ({ insert }: TenantQueries, values: Record<string, Parameter<Value>>, count: number) => {
    const rows = Array.from({ length: count }, (): Record<string, Parameter<Value>> => ({}));
    for (const [name, value] of Object.entries(values)) {
      const [column = "", index] = name.split(" ");
      const row = rows[Number(index)];
      if (row) row[column] = value;
    }
    // toValues gives the rows the columns of an AttemptRow.
    return insert("delivery_attempts", rows as unknown as AttemptRow[]);
  },
);
