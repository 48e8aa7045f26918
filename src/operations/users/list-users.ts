import { defineOperation } from "../../core/operation.ts";
import { boolean, id, text } from "../../models/fields.ts";
import { optional } from "../../models/model.ts";
import { paging } from "../../models/page.ts";
import { UserListModel } from "../../models/user.ts";
import { listAtLocation } from "../records.ts";

export const listUsers = defineOperation({
  name: "users.list",
  summary: "List the users of a location",
  method: "GET",
  path: "/locations/{location_id}/users",
  params: { location_id: id() },
  query: {
    ...paging,
    active: optional(
      boolean().describe("true keeps the users who may act, false those who were deactivated"),
    ),
    username: optional(text(1, 64).describe("* stands for any characters")),
  },
  body: null,
  output: UserListModel,
  roles: ["Admin", "Dispatcher"],
  effect: "read",
  run: (context, { params, query }) =>
    listAtLocation(context, params.location_id, query, (wanted) => {
      const filters = {
        active: query.active ?? null,
        location_id: params.location_id,
        username: query.username ?? null,
      };
      return context.store.users.page(filters, wanted);
    }),
});
