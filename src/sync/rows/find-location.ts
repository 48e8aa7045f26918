import type { Caller } from "../../core/caller.ts";
import { failure } from "../../errors/errors.ts";
import { newestVersion } from "../../models/api-versions.ts";
import { loadOperation } from "../../operations/index.ts";

/** The location that rows go to: the one that is named, or the only one there is. */
export async function findLocation(caller: Caller, named: string | undefined): Promise<number> {
  if (named !== undefined) {
    if (/^[1-9]\d{0,14}$/.test(named)) return Number(named);
    throw failure("usage", `--location must be a location's id, a whole number, not "${named}".`);
  }
  const answer = await caller.call(await loadOperation("locations.list"), {
    params: {},
    query: { page_limit: "10" },
    body: undefined,
    version: newestVersion,
    dryRun: false,
  });
  const { results } = JSON.parse(answer.kind === "json" ? answer.text : "{}") as {
    results: { id: number; name: string }[];
  };
  const [only, ...others] = results;
  if (!only)
    throw failure("usage", "The tenant has no location that you can see; `locations create` makes one.");
  if (others.length === 0) return only.id;
  const known = results.map(({ id, name }) => `${id} (${name})`).join(", ");
  throw failure("usage", `There are several locations: ${known}. Name one with --location.`);
}
