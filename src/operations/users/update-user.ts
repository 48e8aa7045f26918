import type { Context } from "../../core/context.ts";
import { defineOperation } from "../../core/operation.ts";
import { failure, throwIfAny } from "../../errors/errors.ts";
import { id } from "../../models/fields.ts";
import { UpdateUserModel, UserModel } from "../../models/user.ts";
import type { StoredUser } from "../../store/queries/new-user.ts";
import { toDispatcherId } from "../../store/queries/new-user.ts";
import { changeRecord, toPatched } from "../record-changes.ts";
import { findUnknown, found, requireLocation } from "../records.ts";
import { getUser } from "./get-user.ts";
import { requireFreeUsername, requireOwnBinding, toUserReferences } from "./user-checks.ts";

const model = "UpdateUserModel";

export const updateUser = defineOperation({
  name: "users.update",
  summary: "Change a user: name, roles, what limits its sight, whether it may act at all",
  description: "A user with is_active false can do nothing any more, with any token.",
  route: "PATCH /locations/{location_id}/users/{user_id}",
  params: { location_id: id(), user_id: id() },
  body: UpdateUserModel,
  output: UserModel,
  allow: ["Admin"],
  changes: { record: getUser },
  refuses: ["duplicate_record"],
  extension: true,
  async run(context, { params, body }) {
    const { users } = context.store;
    await requireLocation(context, params.location_id);
    const before = found(await users.findAt(params.location_id, params.user_id), "user", params.user_id);
    const patched = toPatched(before, body);
    const after = { ...patched, dispatcher_id: toDispatcherId(before.id, patched.roles) };
    requireOwnBinding(context, model, after, before);
    throwIfAny(await findUnknown(context, toUserReferences(model, params.location_id, body, before)));
    await requireFreeUsername(context, model, after.username, before.id);
    await requireAdministrator(context, before, after);
    return changeRecord(context, "User", users, before, after);
  },
});

/** Throws state_conflict for a tenant without an active Admin who sees all of it: it could not be administered any more. */
export async function requireAdministrator(
  { store }: Context,
  before: StoredUser,
  after: StoredUser,
): Promise<void> {
  if (!administers(before) || administers(after) || (await store.users.hasOtherAdmin(before.id))) return;
  throw failure(
    "state_conflict",
    `${before.username} is the tenant's last active Admin who is not bound to a location; make another one first.`,
  );
}

function administers({ is_active, location_id, roles }: StoredUser): boolean {
  return is_active && location_id === null && roles.includes("Admin");
}
