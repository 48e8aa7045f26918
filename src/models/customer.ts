import { CreateCustomerAddressModel, CustomerAddressModel } from "./address.ts";
import { CreateCustomerContactModel, CustomerContactModel } from "./contact.ts";
import { boolean, id, integer, text, timestamp } from "./fields.ts";
import {
  allNullable,
  allOptional,
  defineModel,
  extension,
  type FilterValues,
  list,
  nullable,
  optional,
  replaceable,
} from "./model.ts";
import { defineList } from "./page.ts";
import { personal } from "./personal.ts";

export const customerSettingsFields = {
  is_commercial: boolean().describe("true commercial, false private"),
  note: personal(text(0, 2048)).describe("notes about the customer"),
  reference_number: personal(text(1, 256)).describe("number of the customer in another system"),
  renewal_date: timestamp().describe("when the contract is due for renewal"),
  sales_rep: personal(text(1, 64).describe("name of the sales representative")),
  sales_rep_id: personal(text(0, 64).describe("provider id, sales user UUID or username")),
  suspension_id: integer().describe("suspension of the customer, stored as given"),
};

export const customerAccountFields = {
  account_number_1: personal(text(0, 128)).describe("the customer's first account number"),
  account_number_2: personal(text(0, 128)).describe("the customer's second account number"),
};

const customerName = personal(text(1, 64).describe("the customer's name"));
const customerParentId = id().describe("identifier of the parent customer");

export const DispatchCustomerLocationModel = defineModel("DispatchCustomerLocationModel", {
  ...allNullable({ ...customerAccountFields, ...customerSettingsFields, parent_id: customerParentId }),
  addresses: list(CustomerAddressModel).describe("the addresses of the customer"),
  contacts: list(CustomerContactModel).describe("the people to call"),
  created_on: timestamp("past"),
  id: id().describe("customer identifier"),
  is_active: boolean().describe("false means soft-deleted"),
  last_updated_on: timestamp("past"),
  location_id: id().describe("the location that has these settings"),
  name: customerName,
});

export const DispatchCustomerLocationListModel = defineList(
  "DispatchCustomerLocationListModel",
  DispatchCustomerLocationModel,
);

const DispatchCustomerSettingsModel = defineModel("DispatchCustomerSettingsModel", {
  ...allNullable(customerSettingsFields),
  created_on: timestamp("past"),
  customer_id: id().describe("the customer of these settings"),
  is_active: boolean().describe("false: the location no longer serves the customer"),
  last_updated_on: timestamp("past"),
  location_id: id().describe("the location that serves the customer"),
});

const customerFields = {
  addresses: list(CustomerAddressModel).describe("the addresses of the customer, at all locations"),
  contacts: list(CustomerContactModel).describe("the people to call, at all locations"),
  created_on: timestamp("past"),
  id: id().describe("customer identifier"),
  last_updated_on: timestamp("past"),
  locations: list(DispatchCustomerSettingsModel).describe(
    "the settings of each location that serves the customer",
  ),
  name: customerName,
  parent_id: nullable(customerParentId),
};

export const CustomerModel = defineModel("CustomerModel", customerFields);

export const CustomerListModel = defineList("CustomerListModel", CustomerModel);

/** The customer of a job before 2021/11/04. */
export const JobCustomerModel = defineModel("JobCustomerModel", customerFields);

export const UpdateCustomerModel = defineModel("UpdateCustomerModel", {
  name: replaceable(customerName),
  parent_id: optional(customerParentId),
});

/** The most per request. Clients add the others one by one. */
const listedMax = 250;

export const CreateCustomerModel = defineModel("CreateCustomerModel", {
  ...allOptional({ ...customerAccountFields, ...customerSettingsFields, parent_id: customerParentId }),
  addresses: list(CreateCustomerAddressModel, { max: listedMax }).meta({
    flag: "address",
    description: "an address",
  }),
  contacts: list(CreateCustomerContactModel, { max: listedMax }).meta({
    flag: "contact",
    description: "a contact; [] creates an empty one",
  }),
  name: customerName,
});

export const customerFilters = {
  active: optional(boolean().describe("true only active records, false only inactive")),
  created_on_gte: optional(timestamp("past").describe("created on or after")),
  is_parent: optional(boolean().describe("true only customers that are a parent of others")),
  last_updated_gte: optional(timestamp("past").describe("only records updated after")),
  name: optional(text(1, 256).describe("exact except for case; * matches any characters")),
  parent_id: optional(id().describe("only customers of this parent")),
  reference_number: optional(
    text(1, 256).describe("only customers with exactly this reference number at a location").meta(extension),
  ),
};

export type CustomerFilters = FilterValues<typeof customerFilters>;
