import { customerAccountFields, customerSettingsFields } from "./customer.ts";
import { boolean } from "./fields.ts";
import { allOptional, defineModel, resettable } from "./model.ts";

const fields = allOptional({ ...customerAccountFields, ...customerSettingsFields });

export const CreateDispatchCustomerLocationModel = defineModel("CreateDispatchCustomerLocationModel", fields);

export const UpdateDispatchCustomerLocationModel = defineModel("UpdateDispatchCustomerLocationModel", {
  ...fields,
  is_active: resettable(boolean().describe("false deactivates the record, true makes it active again"), true),
});
