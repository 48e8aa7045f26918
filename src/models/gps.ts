import { heading, id, number, text, timestamp } from "./fields.ts";
import { allNullable, allOptional, defineModel, nullable, optional } from "./model.ts";
import { defineList } from "./page.ts";
import { personal } from "./personal.ts";

const GpsCoordinatesModel = defineModel(
  "GpsCoordinatesModel",
  allOptional({
    accuracy: number().describe("meters"),
    altitude: number().describe("meters above sea level"),
    heading: heading().describe("degrees clockwise from north, below 360"),
    latitude: number(-90, 90).describe("degrees north, negative for south"),
    longitude: number(-180, 180).describe("degrees east, negative for west"),
    speed: number(0).describe("speed, stored as given"),
  }),
);

const GpsLocationModel = defineModel(
  "GpsLocationModel",
  {
    coords: optional(GpsCoordinatesModel).describe("the place, speed, and heading of the device"),
    timestamp: timestamp("past").describe("time of the measurement"),
  },
  { description: "the truck's position and its time", flag: "position" },
);

export const GpsEventProfileModel = defineModel("GpsEventProfileModel", {
  location: GpsLocationModel.describe("where the truck was, and when"),
});

export const GpsStopModel = defineModel("GpsStopModel", {
  ...allNullable({
    bearing: personal(heading().describe("degrees clockwise from north")),
    device_name: personal(text(0, 128)).describe("name of the measuring device"),
    latitude: personal(number(-90, 90)).describe("degrees north, negative for south"),
    longitude: personal(number(-180, 180)).describe("degrees east, negative for west"),
    truck_id: id().describe("the truck that the driver drives at the location"),
    velocity: personal(number(0)).describe("speed, stored as given"),
  }),
  created_on: timestamp(),
  driver_id: nullable(id().describe("the driver at that position")),
  id: id().describe("number of the position"),
});

const TruckPlaceModel = defineModel("TruckPlaceModel", {
  ...allNullable({
    bearing: heading().describe("degrees clockwise from north"),
    driver_id: id().describe("the driver at that position"),
    velocity: number(0).describe("speed, stored as given"),
  }),
  id: id().describe("number of the position"),
  latitude: number(-90, 90).describe("degrees north, negative for south"),
  longitude: number(-180, 180).describe("degrees east, negative for west"),
  measured_on: timestamp(),
  truck_id: id().describe("the truck at that position"),
});

export const TruckPlaceListModel = defineList("TruckPlaceListModel", TruckPlaceModel);
