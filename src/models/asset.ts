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
  asset_type_id: id().describe("type of the asset"),
  cluster: text(0, 64).describe("cluster of assets that it belongs to"),
  customer_id: id().describe("the customer that has it"),
  description: text(0, 2048).describe("the asset in words"),
  dispatched_on: timestamp().describe("when it was sent to a customer"),
  last_activity_on: timestamp().describe("when a job last used it"),
  last_rental_invoice_on: timestamp().describe("date of the last invoice for its rental"),
  latitude: personal(number(-90, 90)).describe("degrees north, negative for south"),
  longitude: personal(number(-180, 180)).describe("degrees east, negative for west"),
  number: text(1, 32).describe("the number painted on it"),
  quantity: integer(0).describe("number of assets in this record"),
  returned_on: timestamp().describe("when it came back to the yard"),
};

const isReturned = boolean().describe("whether it is back in the yard");

export const JobAssetModel = defineModel("JobAssetModel", {
  ...allNullable(fields),
  asset_type: nullable(JobAssetTypeModel).describe("the whole record of its type"),
  id: id().describe("asset identifier"),
  is_returned: isReturned,
  location: personal(nullable(LocationAddressModel)).describe("where it stands"),
  location_id: id().describe("the location that owns it"),
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
  location: optional(CreateLocationAddressModel).describe("the address where the asset stands"),
};

export const CreateJobAssetModel = defineModel("CreateJobAssetModel", requestFields);

export const UpdateJobAssetModel = defineModel("UpdateJobAssetModel", {
  ...requestFields,
  is_returned: resettable(isReturned, false),
});

export const haulerId = uuid().describe("third-party hauler");
