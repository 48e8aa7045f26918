import { customerName, customerParentId } from "./customer.ts";
import { defineModel, optional, replaceable } from "./model.ts";

export const UpdateCustomerModel = defineModel("UpdateCustomerModel", {
  name: replaceable(customerName),
  parent_id: optional(customerParentId),
});
