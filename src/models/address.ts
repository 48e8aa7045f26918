import { boolean, countryCode, id, number, text } from "./fields.ts";
import { allOptional, defineModel, nullable, optional } from "./model.ts";
import { defineList } from "./page.ts";

const fields = {
  country: countryCode().describe("country, ISO 3166-1 alpha-2"),
  is_billing: boolean().describe("the customer's billing address"),
  is_shipping: boolean().describe("the customer's shipping address"),
  latitude: number(-90, 90),
  line_1: text(1, 256).describe("street address"),
  line_2: optional(text(0, 256)),
  line_3: optional(text(0, 256)),
  line_4: optional(text(0, 256).describe("also serves as county")),
  locality: text(1, 86).describe("city"),
  longitude: number(-180, 180),
  postcode: text(1, 86),
  region: text(1, 32).describe("state"),
};

export const CreateCustomerAddressModel = defineModel("CreateCustomerAddressModel", fields);

export const UpdateCustomerAddressModel = defineModel("UpdateCustomerAddressModel", allOptional(fields));

export const CustomerAddressModel = defineModel("CustomerAddressModel", {
  ...fields,
  id: id().describe("address identifier"),
  is_active: boolean().describe("false means soft-deleted"),
  is_physical: boolean(),
  line_2: nullable(text(0, 256)),
  line_3: nullable(text(0, 256)),
  line_4: nullable(text(0, 256).describe("also serves as county")),
});

export const CustomerAddressListModel = defineList("CustomerAddressListModel", CustomerAddressModel);
