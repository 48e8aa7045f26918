import { JobAssetTypeModel } from "./asset-type.ts";
import { boolean, id, integer, number, text, timestamp, uuid } from "./fields.ts";
import { CreateLocationAddressModel, LocationAddressModel } from "./location-address.ts";
import {
  allNullable,
  allOptional,
  defineModel,
  type FilterValues,
  nullable,
  optional,
  resettable,
} from "./model.ts";
import { defineList } from "./page.ts";
import { personal } from "./personal.ts";

const fields = {
  asset_type_id: id(),
  cluster: text(0, 64),
  customer_id: id().describe("the customer that has it"),
  description: text(0, 2048),
  dispatched_on: timestamp(),
  last_activity_on: timestamp(),
  last_rental_invoice_on: timestamp(),
  latitude: personal(number(-90, 90)),
  longitude: personal(number(-180, 180)),
  number: text(1, 32).describe("the number painted on it"),
  quantity: integer(0),
  returned_on: timestamp(),
};

const isReturned = boolean().describe("whether it is back in the yard");

export const JobAssetModel = defineModel("JobAssetModel", {
  ...allNullable(fields),
  asset_type: nullable(JobAssetTypeModel),
  id: id(),
  is_returned: isReturned,
  location: personal(nullable(LocationAddressModel)),
  location_id: id(),
});

export const JobAssetListModel = defineList("JobAssetListModel", JobAssetModel);

export const assetFilters = {
  asset_type_id: optional(id().describe("only assets of this type")),
  customer_id: optional(id().describe("only assets at this customer")),
  is_returned: optional(boolean().describe("true only those back in the yard, false only the others")),
};

export type AssetFilters = FilterValues<typeof assetFilters>;

const requestFields = {
  ...allOptional(fields),
  is_returned: optional(isReturned),
  location: optional(CreateLocationAddressModel),
};

export const CreateJobAssetModel = defineModel("CreateJobAssetModel", requestFields);

export const UpdateJobAssetModel = defineModel("UpdateJobAssetModel", {
  ...requestFields,
  is_returned: resettable(isReturned, false),
});

export const haulerId = uuid().describe("third-party hauler, a UUID");
