import { defineOperation } from "../../core/operation.ts";
import { DumpDestinationListModel } from "../../models/dump-destination.ts";
import { id } from "../../models/fields.ts";
import { paging } from "../../models/page.ts";
import { listAtLocation } from "../records.ts";

export const listDumpDestinations = defineOperation({
  name: "dump-destinations.list",
  summary: "List the dump destinations of a location, without removed ones",
  route: "GET /locations/{location_id}/dump_destinations",
  params: { location_id: id() },
  query: paging,
  output: DumpDestinationListModel,
  allow: "anyRole",
  run: (context, { params, query }) =>
    listAtLocation(context, params.location_id, query, (wanted) =>
      context.store.dumpDestinations.pageActive(params.location_id, wanted),
    ),
});
