import { boolean, countryCode, id, number, text } from "./fields.ts";
import { allNullable, allOptional, allReplaceable, defineModel } from "./model.ts";
import { defineList } from "./page.ts";
import { personal } from "./personal.ts";

const furtherLine = personal(text(0, 256)).describe("further line of the street address");
const county = personal(text(0, 256).describe("also serves as county"));

const requiredFields = {
  country: countryCode().describe("country, ISO 3166-1 alpha-2"),
  is_billing: boolean().describe("the customer's billing address"),
  is_shipping: boolean().describe("the customer's shipping address"),
  latitude: personal(number(-90, 90)).describe("degrees north, negative for south"),
  line_1: personal(text(1, 256).describe("street address")),
  locality: personal(text(1, 86).describe("city or town")),
  longitude: personal(number(-180, 180)).describe("degrees east, negative for west"),
  postcode: personal(text(1, 86)).describe("postal code"),
  region: personal(text(1, 32).describe("state or province")),
};

const furtherLines = { line_2: furtherLine, line_3: furtherLine, line_4: county };

export const CreateCustomerAddressModel = defineModel("CreateCustomerAddressModel", {
  ...requiredFields,
  ...allOptional(furtherLines),
});

export const UpdateCustomerAddressModel = defineModel("UpdateCustomerAddressModel", {
  ...allReplaceable(requiredFields),
  ...allOptional(furtherLines),
});

export const CustomerAddressModel = defineModel("CustomerAddressModel", {
  ...requiredFields,
  ...allNullable(furtherLines),
  id: id().describe("address identifier"),
  is_active: boolean().describe("false means soft-deleted"),
  is_physical: boolean().describe("true for a physical address"),
});

export const CustomerAddressListModel = defineList("CustomerAddressListModel", CustomerAddressModel);
