import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { UserModel } from "../../models/user.ts";
import { found, requireLocation } from "../records.ts";

export const getUser = defineOperation({
  name: "users.get",
  summary: "Show a user of a location: one who is bound to it, or to none",
  route: "GET /locations/{location_id}/users/{user_id}",
  params: { location_id: id(), user_id: id() },
  output: UserModel,
  allow: ["Admin", "Dispatcher"],
  async run(context, { params }) {
    await requireLocation(context, params.location_id);
    return found(
      await context.store.users.findAt(params.location_id, params.user_id),
      "user",
      params.user_id,
    );
  },
});
