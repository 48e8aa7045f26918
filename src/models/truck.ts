import { absenceFields } from "./absence.ts";
import { haulerId } from "./asset.ts";
import { boolean, hexColor, id, integer, number, text } from "./fields.ts";
import { allNullable, allOptional, allResettable, defineModel, optional, replaceable } from "./model.ts";
import { defineList } from "./page.ts";

const flagFields = {
  out_of_service: boolean().describe("the truck is out of service and cannot get jobs"),
  require_odometer: boolean().describe("the driver must enter the odometer reading, stored as given"),
};

export const truckDefaults = { out_of_service: false, require_odometer: false };

const settingFields = {
  ...absenceFields,
  interface_color: hexColor().describe("color of the truck on screens"),
  notes: text(0, 2048).describe("notes about the truck"),
  trailer_id: integer(1).describe("trailer of the truck, by ID"),
  type: text(1, 50).describe("kind of truck, such as roll-off"),
  weight: number(0, 10_000_000).describe("weight of the empty truck"),
};

const name = text(1, 64).describe("name of the truck");
const driverId = id().describe("the truck's driver");

export const TruckModel = defineModel("TruckModel", {
  ...flagFields,
  ...allNullable({ ...settingFields, driver_id: driverId, third_party_hauler_id: haulerId }),
  id: id().describe("truck identifier"),
  location_id: id().describe("the location that dispatches it"),
  name,
});

export const TruckListModel = defineList("TruckListModel", TruckModel);

export const CreateTruckModel = defineModel("CreateTruckModel", {
  ...allOptional({ ...flagFields, ...settingFields, driver_id: driverId, third_party_hauler_id: haulerId }),
  name,
});

export const UpdateTruckRequestModel = defineModel("UpdateTruckRequestModel", {
  ...allOptional(settingFields),
  ...allResettable(flagFields, truckDefaults),
  name: replaceable(name),
  driver_id: optional(driverId.describe("the truck's driver; null takes the driver off")),
});
