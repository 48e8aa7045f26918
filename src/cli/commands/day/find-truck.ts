import type { Board, BoardLocation, BoardTruck } from "../../../board/board.ts";
import { DispatchError, failure } from "../../../errors/errors.ts";
import type { ListedKind, Scope } from "../../names/record-finder.ts";
import { namedKind, resolveText } from "../../names/resolve-input.ts";
import { type Resolving, resolveName, toLabel } from "../../names/resolve-name.ts";
import { tell } from "../../output/tell.ts";

/** `locationId` is null if the caller may not know it. */
export interface FoundTruck {
  id: number;
  locationId: number | null;
}

/** By id, name, or driver. Throws `record_not_found` for an unknown id, and the errors of `resolveName` for words. */
export async function findTruck(
  resolving: Resolving,
  words: string,
  locationId: number | null,
): Promise<FoundTruck> {
  const scope: Scope = locationId === null ? {} : { location_id: String(locationId) };
  const { id, params } = await resolveText(resolving, listed("truck_id"), words, scope, true).catch(
    (error: unknown) => findDriven(resolving, words, scope, error),
  );
  const place = params.location_id === undefined ? locationId : Number(params.location_id);
  if (locationId !== null && place !== locationId)
    throw failure("record_not_found", `Location ${locationId} has no truck ${id}.`);
  return { id: Number(id), locationId: place };
}

export function truckOnBoard(
  { locations }: Board,
  { id }: FoundTruck,
): { location: BoardLocation; truck: BoardTruck } {
  for (const location of locations) {
    const truck = location.trucks.find((one) => one.id === id);
    if (truck) return { location, truck };
  }
  throw failure("record_not_found", `Truck ${id} is at a location that is closed, or that you cannot see.`);
}

/** Throws `error` if no driver has the name either. */
async function findDriven(resolving: Resolving, words: string, scope: Scope, error: unknown) {
  if (!isUnknownName(error)) throw error;
  const driver = await resolveName(resolving, listed("driver_id"), words, scope).catch((other: unknown) => {
    throw isUnknownName(other) ? error : other;
  });
  const params = { location_id: Number(driver.params.location_id) };
  const query = { page_limit: trucksMax };
  const { results } = await resolving.client.call("trucks.list", { params, query });
  const driven = results.filter(({ driver_id }) => String(driver_id) === driver.id);
  const [only, second] = driven;
  const who = `Driver ${toLabel(driver)}`;
  if (!only) throw failure("name_not_found", `${who} drives no truck, and no truck has this name.`, "truck");
  if (!second) {
    if (resolving.tells) tell(resolving.context.stderr, `truck ${only.id} ${only.name}`);
    return { id: String(only.id), params: driver.params };
  }
  const known = driven.map(({ id, name }) => `${id} ${name}`).join("; ");
  throw failure("name_ambiguous", `${who} drives several trucks: ${known}.`, "truck");
}

const trucksMax = 1000;

const isUnknownName = (error: unknown) => error instanceof DispatchError && error.code === "name_not_found";

export function listed(field: "driver_id" | "truck_id"): ListedKind {
  const kind = namedKind(field);
  if (!kind) throw new Error(`Records that ${field} names cannot be listed.`);
  return kind;
}
