import { CustomerAddressModel } from "./address.ts";
import { CustomerContactModel } from "./contact.ts";
import { boolean, id, integer, text, timestamp } from "./fields.ts";
import { allNullable, defineModel, list, nullable } from "./model.ts";
import { defineList } from "./page.ts";
import { personal } from "./personal.ts";

/** What a customer's record at a location holds of its own (OP-30). */
export const customerSettingsFields = {
  is_commercial: boolean().describe("true commercial, false private"),
  note: personal(text(0, 2048)),
  reference_number: personal(text(1, 256)),
  renewal_date: timestamp(),
  sales_rep: personal(text(1, 64).describe("name of the sales representative")),
  sales_rep_id: personal(text(0, 64).describe("provider id, sales user UUID or username")),
  suspension_id: integer(),
};

export const customerAccountFields = {
  account_number_1: personal(text(0, 128)),
  account_number_2: personal(text(0, 128)),
};

export const customerName = personal(text(1, 64).describe("the customer's name"));
export const customerParentId = id().describe("identifier of the parent customer");

export const DispatchCustomerLocationModel = defineModel("DispatchCustomerLocationModel", {
  ...allNullable({ ...customerAccountFields, ...customerSettingsFields, parent_id: customerParentId }),
  addresses: list(CustomerAddressModel),
  contacts: list(CustomerContactModel),
  created_on: timestamp("past"),
  id: id().describe("customer identifier"),
  is_active: boolean().describe("false means soft-deleted"),
  last_updated_on: timestamp("past"),
  location_id: id(),
  name: customerName,
});

export const DispatchCustomerLocationListModel = defineList(
  "DispatchCustomerLocationListModel",
  DispatchCustomerLocationModel,
);

const DispatchCustomerSettingsModel = defineModel("DispatchCustomerSettingsModel", {
  ...allNullable(customerSettingsFields),
  created_on: timestamp("past"),
  customer_id: id(),
  is_active: boolean(),
  last_updated_on: timestamp("past"),
  location_id: id(),
});

const customerFields = {
  addresses: list(CustomerAddressModel),
  contacts: list(CustomerContactModel),
  created_on: timestamp("past"),
  id: id(),
  last_updated_on: timestamp("past"),
  locations: list(DispatchCustomerSettingsModel),
  name: customerName,
  parent_id: nullable(customerParentId),
};

export const CustomerModel = defineModel("CustomerModel", customerFields);

export const CustomerListModel = defineList("CustomerListModel", CustomerModel);

/** How a job showed its customer before 2021/11/04 (OP-26). */
export const JobCustomerModel = defineModel("JobCustomerModel", customerFields);
