import { boolean, emailList, id, integer, number, text, timestamp, uuid } from "./fields.ts";
import { allNullable, defineModel, nullable } from "./model.ts";

export const locationAddressFields = {
  latitude: number(-90, 90),
  line_1: text(0, 256),
  line_2: text(0, 256),
  line_3: text(0, 256),
  line_4: text(0, 256),
  locality: text(0, 86),
  longitude: number(-180, 180),
  postcode: text(0, 86),
  region: text(0, 32),
};

export const LocationAddressModel = defineModel("LocationAddressModel", allNullable(locationAddressFields));

export const JobAssetTypeModel = defineModel("JobAssetTypeModel", {
  deleted: boolean(),
  id: id(),
  is_default: boolean(),
  location_id: id(),
  name: text(1, 64),
  quantity: nullable(integer(0)),
  require_numbers: boolean(),
  weight: nullable(number(0)),
});

export const JobAssetModel = defineModel("JobAssetModel", {
  asset_type: nullable(JobAssetTypeModel),
  asset_type_id: nullable(id()),
  cluster: nullable(text(0, 64)),
  customer_id: nullable(id()),
  description: nullable(text(0, 2048)),
  dispatched_on: nullable(timestamp()),
  id: id(),
  is_returned: boolean(),
  last_activity_on: nullable(timestamp()),
  last_rental_invoice_on: nullable(timestamp()),
  latitude: nullable(number(-90, 90)),
  location: nullable(LocationAddressModel),
  location_id: id(),
  longitude: nullable(number(-180, 180)),
  number: nullable(text(1, 32)),
  quantity: nullable(integer(0)),
  returned_on: nullable(timestamp()),
});

export const DumpDestinationModel = defineModel("DumpDestinationModel", {
  ...allNullable({
    address: text(1, 256),
    city: text(1, 86),
    contact_email: emailList(256),
    contact_name: text(0, 128),
    contact_phone: text(0, 90),
    description: text(0, 2048),
    latitude: number(-90, 90),
    longitude: number(-180, 180),
    state: text(1, 32),
    zip: text(1, 86),
  }),
  id: id(),
  is_holding_yard: boolean(),
  location_id: id(),
});

export const haulerId = uuid().describe("third-party hauler, a UUID");
