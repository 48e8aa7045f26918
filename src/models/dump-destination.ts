import { boolean, emailList, id, number, text } from "./fields.ts";
import { allNullable, allOptional, allResettable, defineModel, optional } from "./model.ts";
import { defineList } from "./page.ts";

const fields = {
  address: text(1, 256).describe("street address"),
  city: text(1, 86).describe("city of the address"),
  contact_email: emailList(256).describe("e-mail addresses of the contact, comma-separated"),
  contact_name: text(0, 128).describe("name of the contact person"),
  contact_phone: text(0, 90).describe("telephone number of the contact"),
  description: text(0, 2048).describe("the dump or yard in words"),
  latitude: number(-90, 90).describe("degrees north, negative for south"),
  longitude: number(-180, 180).describe("degrees east, negative for west"),
  state: text(1, 32).describe("state of the address"),
  zip: text(1, 86).describe("postal code of the address"),
};

const isHoldingYard = boolean().describe("a yard that stores assets, not a dump");

export const DumpDestinationModel = defineModel("DumpDestinationModel", {
  ...allNullable(fields),
  id: id().describe("dump destination identifier"),
  is_holding_yard: isHoldingYard,
  location_id: id().describe("the location that uses it"),
});

export const DumpDestinationListModel = defineList("DumpDestinationListModel", DumpDestinationModel);

export const dumpDestinationDefaults = { is_active: true, is_holding_yard: false };

export const CreateDumpDestinationModel = defineModel("CreateDumpDestinationModel", {
  ...allOptional(fields),
  is_holding_yard: optional(isHoldingYard),
});

const isActive = boolean().describe("false removes it; its jobs keep it");

export const UpdateDumpDestinationModel = defineModel("UpdateDumpDestinationModel", {
  ...allOptional(fields),
  ...allResettable({ is_active: isActive, is_holding_yard: isHoldingYard }, dumpDestinationDefaults),
});
