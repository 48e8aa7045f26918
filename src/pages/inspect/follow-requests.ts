import { DispatchError } from "../../errors/dispatch-error.ts";
import { follow } from "./follow.ts";
import type { Inspector } from "./inspector.ts";

const everyMs = 1_000;

/** Reads the requests that the server answers, as it answers them. */
export function followRequests(inspector: Inspector, end: AbortSignal): Promise<void> {
  const { client, requests } = inspector;
  let after: string | null = null;
  const read = async (signal: AbortSignal) => {
    const query = after === null ? {} : { after };
    const { cursor, results } = await client
      .call("requests.tail", { query, signal })
      .catch((error: unknown) => {
        // A cursor of another server is none of this one: the next time it begins anew.
        if (error instanceof DispatchError && error.code === "unknown_reference") after = null;
        else throw error;
        return { cursor: null, results: [] };
      });
    after = cursor;
    requests.add(results);
  };
  return follow(inspector, end, { read, pauseMs: () => everyMs });
}
