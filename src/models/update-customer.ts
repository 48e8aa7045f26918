import { customerName, customerParentId } from "./customer.ts";
import { allOptional, defineModel } from "./model.ts";

export const UpdateCustomerModel = defineModel(
  "UpdateCustomerModel",
  allOptional({ name: customerName, parent_id: customerParentId }),
);
