import { boolean, id, integer, number, text } from "./fields.ts";
import { allNullable, allOptional, allResettable, defineModel, replaceable } from "./model.ts";
import { defineList } from "./page.ts";

const flagFields = {
  is_default: boolean().describe("the type offered first; one per location"),
  require_numbers: boolean().describe("assets of this type carry numbers"),
};

const amountFields = {
  quantity: integer(0).describe("how many assets of this type there are"),
  weight: number(0).describe("weight of an empty one"),
};

const name = text(1, 64).describe("name of the type");

export const JobAssetTypeModel = defineModel("JobAssetTypeModel", {
  ...flagFields,
  ...allNullable(amountFields),
  deleted: boolean().describe("true: nothing new may have this type"),
  id: id().describe("asset type identifier"),
  location_id: id().describe("the location that has assets of this type"),
  name,
});

export const JobAssetTypeListModel = defineList("JobAssetTypeListModel", JobAssetTypeModel);

export const assetTypeDefaults = { deleted: false, is_default: false, require_numbers: false };

export const CreateJobAssetTypeModel = defineModel("CreateJobAssetTypeModel", {
  ...allOptional({ ...flagFields, ...amountFields }),
  name,
});

const deleted = boolean().describe("true: nothing new may have this type");

export const UpdateJobAssetTypeModel = defineModel("UpdateJobAssetTypeModel", {
  ...allOptional(amountFields),
  ...allResettable({ ...flagFields, deleted }, assetTypeDefaults),
  name: replaceable(name),
});
