import { haulerId } from "./asset.ts";
import { boolean, hexColor, id, integer, number, text } from "./fields.ts";
import { allNullable, allOptional, allResettable, defineModel, optional, replaceable } from "./model.ts";
import { defineList } from "./page.ts";

const flagFields = { out_of_service: boolean(), require_odometer: boolean() };

export const truckDefaults = { out_of_service: false, require_odometer: false };

const settingFields = {
  interface_color: hexColor(),
  notes: text(0, 2048),
  trailer_id: integer(1),
  type: text(1, 50),
  weight: number(0, 10_000_000),
};

const name = text(1, 64);
const driverId = id().describe("the truck's driver");

export const TruckModel = defineModel("TruckModel", {
  ...flagFields,
  ...allNullable({ ...settingFields, driver_id: driverId, third_party_hauler_id: haulerId }),
  id: id(),
  location_id: id(),
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
