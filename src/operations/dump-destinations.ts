import type * as z from "zod";
import { defineOperation } from "../core/operation.ts";
import {
  CreateDumpDestinationModel,
  DumpDestinationListModel,
  DumpDestinationModel,
  dumpDestinationDefaults,
  UpdateDumpDestinationModel,
} from "../models/dump-destination.ts";
import { id } from "../models/fields.ts";
import { paging } from "../models/page.ts";
import { recordsOfLocation, toNewFields } from "./record-changes.ts";
import { listAtLocation, requireLocation } from "./records.ts";

const dumpDestinations = recordsOfLocation({
  type: "DumpDestination",
  noun: "dump destination",
  idParam: "dump_destination_id",
  of: (store) => store.dumpDestinations,
});

export const getDumpDestination = defineOperation({
  name: "dump-destinations.get",
  summary: "Show a dump destination",
  route: "GET /locations/{location_id}/dump_destinations/{dump_destination_id}",
  params: { location_id: id(), dump_destination_id: id() },
  output: DumpDestinationModel,
  allow: "anyRole",
  run: (context, { params }) => dumpDestinations.find(context, params),
});

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

export const createDumpDestination = defineOperation({
  name: "dump-destinations.create",
  summary: "Create a dump destination",
  route: "POST /locations/{location_id}/dump_destinations",
  params: { location_id: id() },
  body: CreateDumpDestinationModel,
  output: DumpDestinationModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getDumpDestination },
  extension: true,
  async run(context, { params, body }) {
    await requireLocation(context, params.location_id);
    return dumpDestinations.add(context, toNewDumpDestination(params.location_id, body));
  },
});

export function toNewDumpDestination(locationId: number, body: z.output<typeof CreateDumpDestinationModel>) {
  return toNewFields(CreateDumpDestinationModel, body, {
    ...dumpDestinationDefaults,
    location_id: locationId,
  });
}

export const updateDumpDestination = defineOperation({
  name: "dump-destinations.update",
  summary: "Change a dump destination, or remove it: jobs that name it keep it",
  route: "PATCH /locations/{location_id}/dump_destinations/{dump_destination_id}",
  params: { location_id: id(), dump_destination_id: id() },
  body: UpdateDumpDestinationModel,
  output: DumpDestinationModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getDumpDestination },
  extension: true,
  async run(context, { params, body }) {
    return dumpDestinations.change(context, await dumpDestinations.find(context, params), body);
  },
});
