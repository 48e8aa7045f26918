import { id, integer, number, text, timestamp } from "./fields.ts";
import { allNullable, allOptional, defineModel } from "./model.ts";
import { defineList } from "./page.ts";

const fields = {
  description: text(0, 200).describe("the material in words"),
  factor: number().describe("conversion factor"),
  group_description: text(0, 100).describe("the group of the material in words"),
  line_item_id: integer().describe("line item of an invoice, stored as given"),
  unit_price: number().describe("price of one unit"),
  uom: text(0, 25).describe("unit of measure"),
};

export const MaterialModel = defineModel("MaterialModel", {
  ...allNullable(fields),
  created_on: timestamp("past"),
  id: id().describe("material identifier"),
  location_id: id().describe("the location that handles it"),
});

export const MaterialListModel = defineList("MaterialListModel", MaterialModel);

export const CreateMaterialModel = defineModel("CreateMaterialModel", allOptional(fields));
