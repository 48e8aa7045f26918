import { JobCustomerModel } from "../customer.ts";
import { id } from "../fields.ts";
import { JobModel } from "../job.ts";
import type { JsonObject } from "../json.ts";
import { defineModel, nullable } from "../model.ts";
import type { ModelChange } from "./change.ts";

const { created_by: _newName, ...kept } = JobModel.shape;

export const jobCreatorAndCustomer: ModelChange = {
  kind: "model",
  introduced: "2021/11/04",
  text: "In JobModel, created_by_id is renamed to created_by and customer changes from JobCustomerModel to DispatchCustomerLocationModel.",
  model: "JobModel",
  before: defineModel("JobModel", {
    ...kept,
    created_by_id: nullable(id().describe("customer, dispatcher or driver id")),
    customer: nullable(JobCustomerModel).describe("the whole record of customer_id, with all locations"),
  }),
  renamed: { created_by: "created_by_id" },
  down: (job) => ({
    ...job,
    customer: job.customer ? toJobCustomer(job.customer as JsonObject) : null,
  }),
};

const walked = new WeakMap<JsonObject, JsonObject>();

/** Adds all locations. The same customer of many jobs stays one frozen object, which is serialized once. */
function toJobCustomer(customer: JsonObject): JsonObject {
  const { customer_created_on: created_on, customer_last_updated_on: last_updated_on } = customer;
  const known = walked.get(customer) ?? Object.freeze({ ...customer, created_on, last_updated_on });
  walked.set(customer, known);
  return known;
}
