import { DispatchCustomerLocationModel } from "../customer.ts";
import { id } from "../fields.ts";
import { defineModel } from "../model.ts";
import type { ModelChange } from "./change.ts";

const { id: _newName, ...kept } = DispatchCustomerLocationModel.shape;

export const renameCustomerId: ModelChange = {
  kind: "model",
  introduced: "2021/04/07",
  text: "In DispatchCustomerLocationModel, customer_id is renamed to id.",
  model: "DispatchCustomerLocationModel",
  before: defineModel("DispatchCustomerLocationModel", {
    ...kept,
    customer_id: id().describe("customer identifier"),
  }),
  renamed: { id: "customer_id" },
};
