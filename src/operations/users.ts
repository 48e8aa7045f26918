import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import type { OperationCure } from "../errors/cure.ts";
import { failure, throwIfAny } from "../errors/errors.ts";
import { MadeErasureModel } from "../models/erasure.ts";
import { id } from "../models/fields.ts";
import { paging } from "../models/page.ts";
import {
  CreateUserModel,
  UpdateUserModel,
  type User,
  UserListModel,
  UserModel,
  userFilters,
} from "../models/user.ts";
import { type StoredUser, toDispatcherId } from "../store/queries/new-user.ts";
import { toErasedWord } from "../store/sweep-erasure.ts";
import { beginErasure } from "./erasures.ts";
import { addRecord, changeRecord, toNewFields, toPatched } from "./record-changes.ts";
import {
  findUnknown,
  found,
  listAtLocation,
  type Reference,
  requireLocation,
  requireTenantWide,
  type SentReference,
} from "./records.ts";

export const getUser = defineOperation({
  name: "users.get",
  summary: "Show a user of a location: one bound to it, or to no location",
  route: "GET /locations/{location_id}/users/{user_id}",
  params: { location_id: id(), user_id: id() },
  output: UserModel,
  allow: ["Admin", "Dispatcher"],
  run: (context, { params }) => requireUser(context, params),
});

async function requireUser(context: Context, params: { location_id: number; user_id: number }) {
  await requireLocation(context, params.location_id);
  return found(await context.store.users.findAt(params.location_id, params.user_id), "user", params.user_id);
}

export const listUsers = defineOperation({
  name: "users.list",
  summary: "List the users of a location",
  route: "GET /locations/{location_id}/users",
  params: { location_id: id() },
  query: { ...paging, ...userFilters },
  output: UserListModel,
  allow: ["Admin", "Dispatcher"],
  run: (context, { params, query }) =>
    listAtLocation(context, params.location_id, query, (wanted) =>
      context.store.users.pageOf(params.location_id, query, wanted),
    ),
});

const createModel = "CreateUserModel";

export const createUser = defineOperation({
  name: "users.create",
  summary: "Create a user",
  route: "POST /locations/{location_id}/users",
  params: { location_id: id() },
  body: CreateUserModel,
  output: UserModel,
  allow: ["Admin"],
  changes: { record: getUser },
  refuses: ["duplicate_record"],
  extension: true,
  async run(context, { params, body }) {
    const { now, service, store } = context;
    const fields = toNewFields(CreateUserModel, body, {
      created_on: now,
      customer_ids: [],
      dispatcher_id: null,
      is_active: true,
      uid: service.makeUuid(),
    });
    await requireLocation(context, params.location_id);
    requireOwnBinding(context, createModel, fields);
    throwIfAny(await findUnknown(context, toUserReferences(createModel, params.location_id, body)));
    await requireFreeUsername(context, createModel, body.username);
    return addRecord(context, "User", store.users, fields);
  },
});

const updateModel = "UpdateUserModel";

export const updateUser = defineOperation({
  name: "users.update",
  summary: "Change a user: its name, roles, limits of access, or whether it is active",
  description: "A user with is_active false has no access, with any token.",
  route: "PATCH /locations/{location_id}/users/{user_id}",
  params: { location_id: id(), user_id: id() },
  body: UpdateUserModel,
  output: UserModel,
  allow: ["Admin"],
  changes: { record: getUser },
  refuses: ["duplicate_record"],
  extension: true,
  async run(context, { params, body }) {
    const before = await requireUser(context, params);
    const patched = toPatched(before, body);
    const after = { ...patched, dispatcher_id: toDispatcherId(before.id, patched.roles) };
    requireOwnBinding(context, updateModel, after, before);
    throwIfAny(await findUnknown(context, toUserReferences(updateModel, params.location_id, body, before)));
    await requireFreeUsername(context, updateModel, after.username, before.id);
    await requireAdministrator(context, before, after);
    return changeRecord(context, "User", context.store.users, before, after);
  },
});

/** Throws state_conflict if the tenant would lose its last active Admin who sees all of it. */
async function requireAdministrator(
  { store }: Context,
  before: StoredUser,
  after: StoredUser,
): Promise<void> {
  if (!administers(before) || administers(after) || (await store.users.hasOtherAdmin(before.id))) return;
  throw failure(
    "state_conflict",
    `${before.username} is the tenant's last active Admin who is not bound to a location; create another one first.`,
  );
}

function administers({ is_active, location_id, roles }: StoredUser): boolean {
  return is_active && location_id === null && roles.includes("Admin");
}

export const eraseUser = defineOperation({
  name: "users.erase",
  summary: "Erase a user's personal data everywhere, permanently, and end its access",
  description:
    "The user and its driver stay with their ids, deactivated; names, numbers, addresses, places, and messages are replaced wherever they are kept. Its tokens in the tenant are revoked.",
  route: "POST /locations/{location_id}/users/{user_id}/erase",
  params: { location_id: id(), user_id: id() },
  output: MadeErasureModel,
  allow: ["Admin"],
  changes: { writes: "alone" },
  effect: "delete",
  extension: true,
  async run(context, { params }) {
    const { actor, changed, now, store } = context;
    requireTenantWide(actor);
    const user = await requireUser(context, params);
    if (user.id === actor.user.id)
      throw failure("state_conflict", "You cannot erase yourself; another Admin can.");
    const word = toErasedWord(user.id);
    await requireAdministrator(context, user, { ...user, is_active: false });
    const { counts } = await store.erasures.eraseUser(user, word, now);
    const erasure = await beginErasure(context, { id: user.id, type: "User" }, counts);
    changed({ type: "User", action: "erased", id: user.id, before: null, after: { id: user.id } });
    return erasure;
  },
});

type Bindings = {
  [Name in "customer_ids" | "driver_id" | "location_id"]?: User[Name] | null | undefined;
};

function toUserReferences(
  model: string,
  locationId: number,
  body: Bindings,
  before: Bindings = {},
): SentReference[] {
  const toReference = (name: string, table: Reference["table"], noun: string, listedBy: OperationCure) => ({
    field: `${model}.${name}`,
    table,
    noun,
    listedBy,
  });
  return [
    [
      toReference("location_id", "locations", "location", { operation: "locations.list" }),
      body.location_id,
      before.location_id,
    ],
    [
      toReference("driver_id", "drivers", "driver", {
        operation: "drivers.list",
        params: { location_id: locationId },
      }),
      body.driver_id,
      before.driver_id,
    ],
    ...(body.customer_ids ?? []).map(
      (id, index): SentReference => [
        toReference(`customer_ids[${index}]`, "customers", "customer", { operation: "customers.list" }),
        id,
        before.customer_ids?.find((known) => known === id),
      ],
    ),
  ];
}

/** A caller bound to a location may create users of that location only, without a hauler or customers. */
function requireOwnBinding(
  { actor }: Context,
  model: string,
  after: Pick<User, "customer_ids" | "location_id" | "third_party_hauler_id">,
  before?: Pick<User, "customer_ids" | "third_party_hauler_id">,
): void {
  const own = actor.scope.rowScopes.flatMap((rows) => (rows.kind === "location" ? [rows.locationId] : []));
  if (own.length === 0) return;
  const refuse = (name: string, why: string) => {
    const field = `${model}.${name}`;
    throw failure("role_not_allowed", `The caller is bound to location ${own[0]}${why}: ${field}.`, field);
  };
  if (!own.some((id) => id === after.location_id)) refuse("location_id", ", so the user must be too");
  const haulerId = after.third_party_hauler_id;
  if (haulerId !== null && haulerId !== before?.third_party_hauler_id)
    refuse("third_party_hauler_id", "; a hauler's jobs are not");
  if (after.customer_ids.some((id) => !before?.customer_ids.includes(id)))
    refuse("customer_ids", "; a customer may be at others too");
}

async function requireFreeUsername(
  { store }: Context,
  model: string,
  username: string,
  ownId: number | null = null,
): Promise<void> {
  const known = await store.users.findByUsername(username);
  if (!known || known.id === ownId) return;
  // A caller who may not see that user learns only that the name is taken.
  const isSeen = (await store.references.find("users", known.id)) !== undefined;
  throw failure(
    "duplicate_record",
    `The user ${username} exists already${isSeen ? `, with id ${known.id}` : ""}; choose another name.`,
    `${model}.username`,
  );
}
