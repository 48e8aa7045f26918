import { CreateCustomerAddressModel } from "./address.ts";
import { CreateCustomerContactModel } from "./contact.ts";
import { customerAccountFields, customerName, customerParentId, customerSettingsFields } from "./customer.ts";
import { allOptional, defineModel, list } from "./model.ts";

/** Addresses, and contacts, that one request may bring; more are added one by one. */
const listedMax = 250;

export const CreateCustomerModel = defineModel("CreateCustomerModel", {
  ...allOptional({ ...customerAccountFields, ...customerSettingsFields, parent_id: customerParentId }),
  addresses: list(CreateCustomerAddressModel, { max: listedMax }).meta({
    flag: "address",
    description: "an address",
  }),
  contacts: list(CreateCustomerContactModel, { max: listedMax }).meta({
    flag: "contact",
    description: "a contact; [] makes an empty one",
  }),
  name: customerName,
});
