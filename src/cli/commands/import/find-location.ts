import { failure } from "../../../errors/errors.ts";
import { isId } from "../../../records/is-id.ts";
import { kindOf } from "../../../records/record-kinds.ts";
import type { CliContext } from "../../context.ts";
import { refuseLocations, usualLocation } from "../../names/follow-records.ts";
import { readLocation } from "../../names/read-location.ts";
import type { Settings } from "../../settings.ts";
import type { Target } from "../../target/target.ts";

/** The location that rows go to: the one that is named by its id or name, the usual one, or the only one there is. */
export async function findLocation(
  context: CliContext,
  settings: Settings,
  { caller }: Pick<Target, "caller">,
  location: string | undefined,
): Promise<number> {
  const named = await readLocation(context, settings, { caller }, { location });
  if (named !== null) return named;
  const resolving = { context, caller, choose: null, tells: settings.form === "table" };
  const usual = await usualLocation(resolving, settings.location);
  if (usual === null) return refuseLocations(caller);
  if (isId(kindOf("locations"), usual)) return Number(usual);
  throw failure("usage", `${settings.location.source} must name a location, not "${usual}".`);
}
