import { failure, type Violation } from "../../errors.ts";
import type { CreateJobRequestBody } from "../../models/create-job.ts";
import type { Context } from "../../operation.ts";
import { findUnknown, type Reference, toUnknownReference } from "../records.ts";

const model = "CreateJobRequestBodyModel";

/** The ids of a job's body that must belong to records of the tenant (OP-23). */
const references = [
  reference("asset_dropped_id", "assets", "asset", "assets list"),
  reference("asset_id", "assets", "asset", "assets list"),
  reference("asset_type_id", "asset_types", "asset type", "asset-types list"),
  reference("completed_by", "users", "user", "users list"),
  reference("dump_location_id", "dump_destinations", "dump destination", "dump-destinations list"),
  reference("final_location_id", "dump_destinations", "dump destination", "dump-destinations list"),
  reference("start_location_id", "dump_destinations", "dump destination", "dump-destinations list"),
] as const;

function reference<const Name extends keyof CreateJobRequestBody>(
  name: Name,
  table: Reference["table"],
  noun: string,
  listedBy: string,
) {
  return { name, field: `${model}.${name}`, table, noun, listedBy };
}

/** Everything in a new job's body that does not fit the tenant's records, or itself. */
export async function findJobViolations(
  context: Context,
  locationId: number,
  body: CreateJobRequestBody,
): Promise<Violation[]> {
  return [
    ...findTypeViolations(body),
    ...findRouteViolations(body),
    ...(await findCustomerViolations(context, locationId, body)),
    ...(await findUnknownIds(context, locationId, body)),
    ...(await findTruckViolations(context, locationId, body.truck_id)),
  ];
}

function findTypeViolations({ asset_dropped_id, type }: CreateJobRequestBody): Violation[] {
  if (asset_dropped_id === undefined || asset_dropped_id === null || type === "D" || type === "E") return [];
  const field = `${model}.asset_dropped_id`;
  return [
    { code: "not_for_type", detail: `${field} may be set only when type is D or E, not ${type}.`, field },
  ];
}

function findRouteViolations({ add_to_routes, add_to_routes_settings }: CreateJobRequestBody): Violation[] {
  const routes = new Set((add_to_routes ?? "").split(",").map((id) => Number(id.trim())));
  return (add_to_routes_settings ?? []).flatMap(({ route_id }, index) => {
    if (routes.has(route_id)) return [];
    const field = `${model}.add_to_routes_settings[${index}].route_id`;
    return [
      {
        code: "unknown_reference" as const,
        detail: `${field}: ${route_id} does not stand in add_to_routes.`,
        field,
      },
    ];
  });
}

/** OP-42: the customers must be at the location, the address must be an active one of the job's customer. */
async function findCustomerViolations(
  { store }: Context,
  locationId: number,
  { address_id, customer_id, requested_by }: CreateJobRequestBody,
): Promise<Violation[]> {
  const violations: Violation[] = [];
  const add = (name: string, id: number, problem: string, listedBy: string) => {
    const field = `${model}.${name}`;
    const detail = `${field}: ${problem.replace("#", String(id))}; \`dispatch-cli ${listedBy}\` lists them.`;
    violations.push({ code: "unknown_reference", detail, field });
  };
  const listed = `customers list --location ${locationId}`;
  for (const [name, id] of [
    ["requested_by", requested_by],
    ["customer_id", customer_id ?? requested_by],
  ] as const) {
    if (name === "customer_id" && id === requested_by) continue;
    const customer = await store.customers.findAt(locationId, id);
    if (!customer) add(name, id, `there is no customer # at location ${locationId}`, listed);
  }
  const ownerId = customer_id ?? requested_by;
  if (violations.length === 0 && !(await store.customers.findAddress(ownerId, address_id))) {
    add(
      "address_id",
      address_id,
      `customer ${ownerId} has no active address #`,
      `addresses list --customer ${ownerId}`,
    );
  }
  return violations;
}

async function findUnknownIds(
  context: Context,
  locationId: number,
  body: CreateJobRequestBody,
): Promise<Violation[]> {
  // Callers who see no users may still name themselves.
  const isSelf = (name: string) => name === "completed_by" && body.completed_by === context.actor.user.id;
  const named = references.filter(({ name }) => !isSelf(name));
  return findUnknown(
    context,
    named.map((known) => {
      const listedBy = `${known.listedBy} --location ${locationId}`;
      return [{ ...known, listedBy }, body[known.name]] as const;
    }),
  );
}

/** The truck must be one of the location's. */
async function findTruckViolations(
  { store }: Context,
  locationId: number,
  truckId: number | null | undefined,
): Promise<Violation[]> {
  if (truckId === null || truckId === undefined) return [];
  if (await store.trucks.find(locationId, truckId)) return [];
  const noun = `truck at location ${locationId} with the id`;
  return [
    toUnknownReference(
      { field: `${model}.truck_id`, noun, listedBy: `trucks list --location ${locationId}` },
      truckId,
    ),
  ];
}

/** A job is given only to a truck that is in service (OP-43). */
export async function requireInService(
  { store }: Context,
  locationId: number,
  truckId: number,
): Promise<void> {
  const truck = await store.trucks.find(locationId, truckId);
  if (truck?.out_of_service) {
    throw failure(
      "state_conflict",
      `Truck ${truckId} (${truck.name}) is out of service.`,
      `${model}.truck_id`,
    );
  }
}
