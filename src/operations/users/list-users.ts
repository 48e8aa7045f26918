import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { paging } from "../../models/page.ts";
import { UserListModel, userFilters } from "../../models/user.ts";
import { listAtLocation } from "../records.ts";

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
