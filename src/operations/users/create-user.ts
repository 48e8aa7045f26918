import { failure } from "../../errors.ts";
import { id } from "../../models/fields.ts";
import { CreateUserModel, UserModel } from "../../models/user.ts";
import { defineOperation } from "../../operation.ts";
import { type Reference, requireLocation, requireReference } from "../records.ts";

export const createUser = defineOperation({
  name: "users.create",
  summary: "Create a user",
  method: "POST",
  path: "/locations/{location_id}/users",
  params: { location_id: id() },
  query: {},
  body: CreateUserModel,
  output: UserModel,
  roles: ["Admin"],
  effect: "write",
  extension: true,
  cli: { example: "users create --location 1 --username dana --roles Dispatcher" },
  async run(context, { params, body }) {
    const { now, service, store, changed } = context;
    await requireLocation(context, params.location_id);
    if (body.location_id) await requireBoundLocation(context, body.location_id);
    await requireReference(context, driver, body.driver_id);
    for (const customerId of body.customer_ids ?? []) await requireReference(context, customer, customerId);
    const known = await store.users.findByUsername(body.username);
    if (known) {
      throw failure(
        "duplicate_record",
        `The user ${body.username} exists already, with id ${known.id}.`,
        "CreateUserModel.username",
      );
    }
    const user = await store.users.insert({
      created_on: now,
      customer_ids: body.customer_ids ?? [],
      dispatcher_id: null,
      driver_id: body.driver_id ?? null,
      location_id: body.location_id ?? null,
      roles: body.roles,
      third_party_hauler_id: body.third_party_hauler_id ?? null,
      uid: service.makeUuid(),
      username: body.username,
    });
    changed({ type: "User", action: "created", id: user.id, before: null, after: user });
    return user;
  },
});

const driver: Reference = {
  field: "CreateUserModel.driver_id",
  table: "drivers",
  noun: "driver",
  listedBy: "drivers list",
};

const customer: Reference = {
  field: "CreateUserModel.customer_ids",
  table: "customers",
  noun: "customer",
  listedBy: "customers list",
};

async function requireBoundLocation(
  context: Parameters<typeof requireLocation>[0],
  locationId: number,
): Promise<void> {
  if (await context.store.locations.find(locationId)) return;
  const field = "CreateUserModel.location_id";
  throw failure(
    "unknown_reference",
    `${field}: there is no location ${locationId}; \`dispatch-cli locations list\` lists them.`,
    field,
  );
}
