import type { Context } from "../../core/context.ts";
import type { OperationCure } from "../../errors/cure.ts";
import { DispatchError, failure, type Violation } from "../../errors/errors.ts";
import type { Job } from "../../store/queries/job-record.ts";
import type { Truck } from "../../store/queries/location-records.ts";
import type { Customer } from "../../store/schema/customer.ts";
import { findUnknown, type Reference, toUnknownReference } from "../records.ts";
import { dispatchesForHauler } from "./new-job.ts";

/** Only new or changed references are checked. */
export interface JobCheck {
  isChanged(name: string): boolean;
  isNew: boolean;
  /** Created for the caller's own hauler, so it may name customers that the caller does not see. */
  isOfOwnHauler?: boolean;
  job: ReferringJob;
  locationId: number;
  /** The name of the model, for messages. */
  model: string;
  /** Only a new or changed truck that exists. */
  truck: Truck | undefined;
}

type Id = number | null | undefined;

interface ReferringJob {
  add_to_routes?: string | null | undefined;
  add_to_routes_settings?: readonly { route_id: number }[] | null | undefined;
  address_id: number;
  asset_dropped_id?: Id;
  asset_id?: Id;
  asset_type_id?: Id;
  completed_by?: Id;
  customer_id?: Id;
  dump_location_id?: Id;
  final_location_id?: Id;
  requested_by: number;
  start_location_id?: Id;
  truck_id?: Id;
  type: string;
}

const references = [
  reference("asset_dropped_id", "assets", "asset", "assets.list"),
  reference("asset_id", "assets", "asset", "assets.list"),
  reference("asset_type_id", "asset_types", "asset type", "asset-types.list"),
  reference("dump_location_id", "dump_destinations", "dump destination", "dump-destinations.list"),
  reference("final_location_id", "dump_destinations", "dump destination", "dump-destinations.list"),
  reference("start_location_id", "dump_destinations", "dump destination", "dump-destinations.list"),
] as const;

function reference<const Name extends keyof ReferringJob>(
  name: Name,
  table: Reference["table"],
  noun: string,
  listing: OperationCure["operation"],
) {
  return { name, table, noun, listing };
}

/** New values that contradict the tenant's records, or each other. */
export async function findJobViolations(context: Context, check: JobCheck): Promise<Violation[]> {
  return [
    ...findTypeViolations(check),
    ...findRouteViolations(check),
    ...(await findCustomerViolations(context, check)),
    ...(await findUnknownIds(context, check)),
    ...(await findUnknownPerson(context, check)),
    ...findTruckViolations(check),
  ];
}

function findTypeViolations({ isChanged, job, model }: JobCheck): Violation[] {
  const { asset_dropped_id, type } = job;
  if (!isChanged("asset_dropped_id") && !isChanged("type")) return [];
  if (asset_dropped_id === undefined || asset_dropped_id === null || type === "D" || type === "E") return [];
  const field = `${model}.asset_dropped_id`;
  return [
    { code: "not_for_type", detail: `${field} may be set only when type is D or E, not ${type}.`, field },
  ];
}

function findRouteViolations({ isChanged, job, model }: JobCheck): Violation[] {
  if (!isChanged("add_to_routes") && !isChanged("add_to_routes_settings")) return [];
  const routes = new Set((job.add_to_routes ?? "").split(",").map((id) => Number(id.trim())));
  return (job.add_to_routes_settings ?? []).flatMap(({ route_id }, index) => {
    if (routes.has(route_id)) return [];
    const field = `${model}.add_to_routes_settings[${index}].route_id`;
    return [
      {
        code: "unknown_reference" as const,
        detail: `${field}: ${route_id} is not in add_to_routes.`,
        field,
      },
    ];
  });
}

/** The customers must be at the location, and the address an active one of the job's customer. */
async function findCustomerViolations({ store }: Context, check: JobCheck): Promise<Violation[]> {
  const { isChanged, isNew, isOfOwnHauler = false, job, locationId, model } = check;
  const { address_id, requested_by } = job;
  const ownerId = job.customer_id ?? requested_by;
  const named = (
    [
      ["requested_by", requested_by],
      ["customer_id", ownerId],
    ] as const
  ).filter(([name, id]) => isChanged(name) && !(name === "customer_id" && isNew && id === requested_by));
  const violations: Violation[] = [];
  const customers = new Map<number, Customer>();
  const add = (name: string, id: number, problem: string, see: OperationCure) => {
    const field = `${model}.${name}`;
    const detail = `${field}: ${problem.replace("#", String(id))}.`;
    violations.push({ code: "unknown_reference", detail, field, see });
  };
  for (const [name, id] of named) {
    const seen = await store.customers.findAt(locationId, id);
    const unseen = seen || !isOfOwnHauler ? undefined : await store.customers.findUnseenAt(locationId, id);
    // A caller who does not see the customer must not learn that it was at the location once.
    const customer = seen ?? (unseen && isActiveAt(unseen, locationId) ? unseen : undefined);
    const listed: OperationCure = { operation: "locations.customers", params: { location_id: locationId } };
    if (!customer) add(name, id, `there is no customer # at location ${locationId}`, listed);
    else if (!isActiveAt(customer, locationId)) {
      const problem = `customer # is no longer active at location ${locationId}`;
      add(name, id, problem, { ...listed, query: { active: true } });
    } else customers.set(id, customer);
  }
  if (violations.length > 0 || !(isNew || isChanged("customer_id"))) return violations;
  // The check above has read these customers with their active addresses.
  if (!customers.get(ownerId)?.addresses.some(({ id }) => id === address_id)) {
    // A job keeps its address, so the new customer must have that address.
    const [name, where] = isNew ? ["address_id", ""] : ["customer_id", ", where the job is"];
    const problem = `customer ${ownerId} has no active address #${where}`;
    add(name, address_id, problem, { operation: "addresses.list", params: { customer_id: ownerId } });
  }
  return violations;
}

function isActiveAt({ locations }: Customer, locationId: number): boolean {
  return locations.some(({ is_active, location_id }) => is_active && location_id === locationId);
}

/** completed_by must be a driver or a user that the caller sees. */
async function findUnknownPerson(
  { actor, store }: Context,
  { isChanged, job, locationId, model }: JobCheck,
): Promise<Violation[]> {
  const id = job.completed_by ?? null;
  // Callers who see no users may still name themselves.
  if (id === null || !isChanged("completed_by") || id === actor.user.id) return [];
  const person = await store.people.find(id);
  const seen = person && (await store.references.find(`${person.kind}s`, id));
  if (seen) return [];
  const field = `${model}.completed_by`;
  const listedBy: OperationCure = { operation: "users.list", params: { location_id: locationId } };
  return [toUnknownReference({ field, noun: "driver or user", listedBy }, id)];
}

async function findUnknownIds(
  context: Context,
  { isChanged, job, locationId, model }: JobCheck,
): Promise<Violation[]> {
  const named = references.filter(({ name }) => isChanged(name));
  return findUnknown(
    context,
    named.map(({ name, listing, ...known }) => [
      {
        ...known,
        field: `${model}.${name}`,
        listedBy: { operation: listing, params: { location_id: locationId } },
      },
      job[name],
    ]),
  );
}

function findTruckViolations({ isChanged, job, locationId, model, truck }: JobCheck): Violation[] {
  const { truck_id: truckId } = job;
  if (truckId === null || truckId === undefined || !isChanged("truck_id") || truck) return [];
  const noun = `truck at location ${locationId} with the id`;
  return [toUnknownReference({ field: `${model}.truck_id`, noun, listedBy: trucksOf(locationId) }, truckId)];
}

function trucksOf(locationId: number): OperationCure {
  return { operation: "trucks.list", params: { location_id: locationId } };
}

export function requireInService({
  locationId,
  model,
  truck,
}: Pick<JobCheck, "locationId" | "model" | "truck">): void {
  if (!truck?.out_of_service) return;
  const detail = `Truck ${truck.id} (${truck.name}) is out of service; choose another.`;
  const field = `${model}.truck_id`;
  throw new DispatchError([{ code: "state_conflict", detail, field, see: trucksOf(locationId) }]);
}

/** Refuses any hauler except the one that the caller dispatches for. */
export function refuseForeignHauler(
  { actor }: Context,
  wanted: string | null | undefined,
  model: string,
): void {
  const own = actor.user.third_party_hauler_id;
  if (!wanted || !dispatchesForHauler(actor.roles) || own?.toLowerCase() === wanted.toLowerCase()) return;
  const field = `${model}.third_party_hauler_id`;
  throw failure("unknown_reference", `${field} must be the caller's own hauler, or be left out.`, field);
}

/** A hauler's dispatcher sees others' jobs on the hauler's trucks, but must not give them away or take them. */
export function refuseTakeover(
  { actor }: Context,
  { id, third_party_hauler_id: held }: Pick<Job, "id" | "third_party_hauler_id">,
  model: string,
): void {
  const own = actor.user.third_party_hauler_id;
  if (!dispatchesForHauler(actor.roles) || held?.toLowerCase() === own?.toLowerCase()) return;
  const field = `${model}.third_party_hauler_id`;
  throw failure("role_not_allowed", `${field}: job ${id} is not a job of the caller's hauler.`, field);
}
