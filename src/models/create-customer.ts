import { CreateCustomerAddressModel } from "./address.ts";
import { CreateCustomerContactModel } from "./contact.ts";
import { customerAccountFields, customerName, customerParentId, customerSettingsFields } from "./customer.ts";
import { allOptional, defineModel, list } from "./model.ts";

export const CreateCustomerModel = defineModel("CreateCustomerModel", {
  ...allOptional({ ...customerAccountFields, ...customerSettingsFields, parent_id: customerParentId }),
  addresses: list(CreateCustomerAddressModel).meta({ flag: "address", description: "an address" }),
  contacts: list(CreateCustomerContactModel).meta({
    flag: "contact",
    description: "a contact; [] makes an empty one",
  }),
  name: customerName,
});
