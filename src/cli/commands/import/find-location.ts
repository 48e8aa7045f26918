import { failure } from "../../../errors/errors.ts";
import type { Client } from "../../../operations/client.ts";

/** The location that rows go to: the one that is named, or the only one there is. */
export async function findLocation(client: Client, named: string | undefined): Promise<number> {
  if (named !== undefined) {
    if (/^[1-9]\d{0,14}$/.test(named)) return Number(named);
    throw failure("usage", `--location must be a location's id, a whole number, not "${named}".`);
  }
  const { results } = await client.call("locations.list", { query: { page_limit: 10 } });
  const [only, ...others] = results;
  if (!only)
    throw failure("usage", "The tenant has no location that you can see; `locations create` makes one.");
  if (others.length === 0) return only.id;
  const known = results.map(({ id, name }) => `${id} (${name})`).join(", ");
  throw failure("usage", `There are several locations: ${known}. Name one with --location.`);
}
