import { expect, expectTypeOf, it } from "vitest";
import { defineOperation } from "../../src/core/operation.ts";
import { newestVersion } from "../../src/models/api-versions.ts";
import { EventModel } from "../../src/models/event.ts";
import { id } from "../../src/models/fields.ts";
import { ThirdPartyHaulerListModel, ThirdPartyHaulerModel } from "../../src/models/hauler.ts";
import { WebhookModel } from "../../src/models/hook.ts";
import { JobListModel, JobModel } from "../../src/models/job.ts";
import { Modelled } from "../../src/models/one-of.ts";
import { toList } from "../../src/models/page.ts";
import { StoredRecord } from "../../src/models/stored-record.ts";
import { TruckModel } from "../../src/models/truck.ts";
import { jobLayout } from "../../src/store/queries/job-record.ts";
import { testStart } from "../support/test-clock.ts";

/**
 * What `defineOperation` accepts and refuses. A line under a @ts-expect-error must not compile, for the reason that the
 * directive gives; once it compiles, tsc reports the directive. `npm run check` runs tsc.
 */
const declared = {
  name: "trucks.get",
  summary: "Show a truck",
  route: "GET /trucks/{truck_id}",
  params: { truck_id: id() },
  allow: ["Admin"],
} as const;

const hauler = { id: "2f1b1f0e-6c3b-4c55-9d3e-0a8f6d1c2b3a", name: "Hauler" };
const paging = { index: 1, limit: 100 };

it("completes the declaration with its defaults", () => {
  const run = async () => hauler;
  const operation = defineOperation({ ...declared, output: ThirdPartyHaulerModel, run });
  const rest = { body: null, changes: {}, effect: "read", query: {}, reads: {} };
  expect(operation).toEqual({ ...declared, ...rest, output: ThirdPartyHaulerModel, run });
  expectTypeOf(operation.output).toEqualTypeOf<typeof ThirdPartyHaulerModel>();
});

it("accepts a run function that returns the model", () => {
  const operations = [
    defineOperation({ ...declared, output: ThirdPartyHaulerModel, run: async () => hauler }),
    // The store may return frozen records with fields that the model lacks. TypeScript does not check for extra
    // fields in a returned value, and the answer leaves them out.
    defineOperation({
      ...declared,
      output: ThirdPartyHaulerModel,
      run: async () => Object.freeze({ ...hauler, tenant_id: 1 }),
    }),
    defineOperation({
      ...declared,
      output: ThirdPartyHaulerListModel,
      run: async () => toList({ rows: [hauler], total: 1 }, paging),
    }),
  ];
  expect(operations).toHaveLength(3);
});

it("does not compile a run function that returns anything else", () => {
  const operations = [
    defineOperation({
      ...declared,
      output: TruckModel,
      // @ts-expect-error fields that the model lacks, and none of its own
      run: async () => ({ nmae: "typo", trcuk: 12 }),
    }),
    defineOperation({
      ...declared,
      output: ThirdPartyHaulerModel,
      // @ts-expect-error a field is missing
      run: async () => ({ id: hauler.id }),
    }),
    defineOperation({
      ...declared,
      output: ThirdPartyHaulerModel,
      // @ts-expect-error a field is of another type
      run: async () => ({ ...hauler, name: 12 }),
    }),
    defineOperation({
      ...declared,
      output: ThirdPartyHaulerModel,
      // @ts-expect-error null where the model always has a value
      run: async () => ({ ...hauler, name: null }),
    }),
    defineOperation({
      ...declared,
      output: ThirdPartyHaulerModel,
      // @ts-expect-error no value
      run: async () => undefined,
    }),
    defineOperation({
      ...declared,
      output: ThirdPartyHaulerListModel,
      // @ts-expect-error null among the records of the list
      run: async () => toList({ rows: [hauler, null], total: 2 }, paging),
    }),
    defineOperation({
      ...declared,
      output: ThirdPartyHaulerListModel,
      // @ts-expect-error a record where the operation returns a list
      run: async () => hauler,
    }),
  ];
  expect(operations).toHaveLength(7);
});

const job = new StoredRecord(jobLayout, "", {});
const event = {
  action: "created",
  cause: null,
  created_on: testStart,
  id: hauler.id,
  record_id: 1,
  trace_id: null,
  trace_state: null,
  type: "Truck",
} as const;
const webhook = {
  api_version: newestVersion,
  deleted_at: null,
  deleted_reason: null,
  description: null,
  events: ["Job" as const],
  headers: null,
  id: 1,
  include_cause: false,
  include_previous: false,
  last_http_fail: null,
  last_http_success: null,
  old_secret_until: null,
  rate_limit: null,
  secret: null,
  standard_secret: null,
  subscriptions: ["Job" as const],
  url: "http://127.0.0.1/",
};

it("accepts stored records and records of a union only for their own models", () => {
  const operations = [
    defineOperation({ ...declared, output: JobModel, run: async () => job }),
    defineOperation({
      ...declared,
      output: JobListModel,
      run: async () => toList({ rows: [job], total: 1 }, paging),
    }),
    defineOperation({
      ...declared,
      output: TruckModel,
      // @ts-expect-error a stored record of another model
      run: async () => job,
    }),
    defineOperation({
      ...declared,
      output: EventModel,
      run: async () => ({ ...event, data: new Modelled(TruckModel, {}) }),
    }),
    defineOperation({
      ...declared,
      output: EventModel,
      // @ts-expect-error a record without its model
      run: async () => ({ ...event, data: {} }),
    }),
    defineOperation({
      ...declared,
      output: EventModel,
      // @ts-expect-error a record of a model that the field does not accept
      run: async () => ({ ...event, data: new Modelled(ThirdPartyHaulerModel, hauler) }),
    }),
    defineOperation({ ...declared, output: WebhookModel, run: async () => webhook }),
    defineOperation({
      ...declared,
      output: WebhookModel,
      // @ts-expect-error a word in a list is not one of the choices
      run: async () => ({ ...webhook, events: ["Lorry"] }),
    }),
  ];
  expect(operations).toHaveLength(8);
});

const print = async ({ truckName }: { truckName: string }) => ({
  bytes: new Uint8Array(),
  fileName: `${truckName}.pdf`,
});
const document = { mediaType: "application/pdf", render: print } as const;

it("accepts as a document only what its render function prints", () => {
  const operations = [
    defineOperation({ ...declared, output: document, run: async () => ({ truckName: "Truck 7" }) }),
    defineOperation({
      ...declared,
      output: document,
      // @ts-expect-error a value that `render` does not print
      run: async () => ({ name: "Truck 7" }),
    }),
  ];
  expect(operations).toHaveLength(2);
});

it("types the input of run by the declared parameters", () => {
  const operations = [
    defineOperation({
      ...declared,
      output: ThirdPartyHaulerModel,
      run: async (_, { params }) => ({ ...hauler, name: String(params.truck_id.toFixed()) }),
    }),
    defineOperation({
      ...declared,
      output: ThirdPartyHaulerModel,
      // @ts-expect-error an undeclared parameter
      run: async (_, { params }) => ({ ...hauler, name: String(params.job_id) }),
    }),
  ];
  expect(operations).toHaveLength(2);
});
