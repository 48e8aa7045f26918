import { boolean, countryCode, id, number, text } from "./fields.ts";
import { allOptional, defineModel, nullable, optional } from "./model.ts";
import { defineList } from "./page.ts";
import { personal } from "./personal.ts";

const furtherLine = personal(text(0, 256));
const county = personal(text(0, 256).describe("also serves as county"));

const fields = {
  country: countryCode().describe("country, ISO 3166-1 alpha-2"),
  is_billing: boolean().describe("the customer's billing address"),
  is_shipping: boolean().describe("the customer's shipping address"),
  latitude: personal(number(-90, 90)),
  line_1: personal(text(1, 256).describe("street address")),
  line_2: optional(furtherLine),
  line_3: optional(furtherLine),
  line_4: optional(county),
  locality: personal(text(1, 86).describe("city")),
  longitude: personal(number(-180, 180)),
  postcode: personal(text(1, 86)),
  region: personal(text(1, 32).describe("state")),
};

export const CreateCustomerAddressModel = defineModel("CreateCustomerAddressModel", fields);

export const UpdateCustomerAddressModel = defineModel("UpdateCustomerAddressModel", allOptional(fields));

export const CustomerAddressModel = defineModel("CustomerAddressModel", {
  ...fields,
  id: id().describe("address identifier"),
  is_active: boolean().describe("false means soft-deleted"),
  is_physical: boolean(),
  line_2: nullable(furtherLine),
  line_3: nullable(furtherLine),
  line_4: nullable(county),
});

export const CustomerAddressListModel = defineList("CustomerAddressListModel", CustomerAddressModel);
