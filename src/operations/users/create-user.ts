import { failure, throwIfAny } from "../../errors.ts";
import { id } from "../../models/fields.ts";
import { CreateUserModel, UserModel } from "../../models/user.ts";
import { type Context, defineOperation } from "../../operation.ts";
import { findUnknown, type Reference, requireLocation } from "../records.ts";

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
    requireOwnBinding(context, body.location_id ?? null);
    throwIfAny(
      await findUnknown(context, [
        [
          { field: `${model}.location_id`, table: "locations", noun: "location", listedBy: "locations list" },
          body.location_id,
        ],
        [{ field: `${model}.driver_id`, table: "drivers", noun: "driver", listedBy: null }, body.driver_id],
        ...(body.customer_ids ?? []).map(
          (customerId, index) => [toCustomerReference(index), customerId] as const,
        ),
      ]),
    );
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

const model = "CreateUserModel";

/** Who is bound to a location makes users of that location only. */
function requireOwnBinding({ actor }: Context, locationId: number | null): void {
  const own = actor.scope.views.flatMap((view) => (view.sees === "location" ? [view.locationId] : []));
  if (own.length === 0 || own.some((id) => id === locationId)) return;
  const detail = `The caller is bound to location ${own[0]}, so the new user must be too: ${model}.location_id.`;
  throw failure("role_not_allowed", detail, `${model}.location_id`);
}

function toCustomerReference(index: number): Reference {
  const field = `${model}.customer_ids[${index}]`;
  return { field, table: "customers", noun: "customer", listedBy: "customers list" };
}
