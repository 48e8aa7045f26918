import { boolean, id, integer, number, text } from "./fields.ts";
import { allNullable, allOptional, defineModel, optional } from "./model.ts";
import { defineList } from "./page.ts";

const flagFields = {
  is_default: boolean().describe("the type that is offered first; one at a location"),
  require_numbers: boolean().describe("assets of this type carry numbers"),
};

const amountFields = {
  quantity: integer(0).describe("how many there are"),
  weight: number(0).describe("weight of an empty one"),
};

const name = text(1, 64);

export const JobAssetTypeModel = defineModel("JobAssetTypeModel", {
  ...flagFields,
  ...allNullable(amountFields),
  deleted: boolean(),
  id: id(),
  location_id: id(),
  name,
});

export const JobAssetTypeListModel = defineList("JobAssetTypeListModel", JobAssetTypeModel);

const createFields = { ...allOptional({ ...flagFields, ...amountFields }), name };

export const CreateJobAssetTypeModel = defineModel("CreateJobAssetTypeModel", createFields);

export const UpdateJobAssetTypeModel = defineModel("UpdateJobAssetTypeModel", {
  ...createFields,
  deleted: optional(boolean().describe("true when nothing new may be of this type")),
  name: optional(name),
});
