import { defineOperation } from "../../core/operation.ts";
import { throwIfAny } from "../../errors/errors.ts";
import { id } from "../../models/fields.ts";
import { CreateUserModel, UserModel } from "../../models/user.ts";
import { addRecord, toNewFields } from "../record-changes.ts";
import { findUnknown, requireLocation } from "../records.ts";
import { getUser } from "./get-user.ts";
import { requireFreeUsername, requireOwnBinding, toUserReferences } from "./user-checks.ts";

const model = "CreateUserModel";

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
    requireOwnBinding(context, model, fields);
    throwIfAny(await findUnknown(context, toUserReferences(model, params.location_id, body)));
    await requireFreeUsername(context, model, body.username);
    return addRecord(context, "User", store.users, fields);
  },
});
