import { boolean, httpUrl, id, number, text, timestamp } from "./fields.ts";
import { allNullable, allOptional, defineModel, nullable, optional } from "./model.ts";
import { personal } from "./personal.ts";

const description = personal(text(0, 2048));
const weight = number(0);

const imageFields = {
  description: description.describe("what it shows; for a signature it begins with the word signature"),
  // On the command line --url names the server.
  url: personal(
    httpUrl().meta({ description: "where the image is", flag: "image-url" }),
    "https://erased.invalid/",
  ),
};

export const CreateJobImageModel = defineModel("CreateJobImageModel", {
  url: imageFields.url,
  description: optional(imageFields.description),
});

export const JobImageModel = defineModel("JobImageModel", {
  created_by: id().describe("the driver or user who added it"),
  created_on: timestamp("past"),
  description: nullable(imageFields.description),
  id: id().describe("image identifier"),
  url: imageFields.url,
});

const materialFields = {
  heavy_weight: weight.describe("weight with the load"),
  light_weight: weight.describe("weight without the load"),
  material_item_id: id().describe("a material of the location"),
  material_name: text(0, 200).describe("name of the material, if it is not a material of the location"),
  quantity: weight.describe("amount in the material's unit"),
  tare_weight: weight.describe("weight of the empty container"),
};

/** The operation refuses a material without any value. */
export const CreateJobMaterialModel = defineModel("CreateJobMaterialModel", allOptional(materialFields), {
  minProperties: 1,
});

export const JobMaterialModel = defineModel("JobMaterialModel", allNullable(materialFields));

export const JobReturnFullModel = defineModel("JobReturnFullModel", {
  asset_id: nullable(id()).describe("the asset that came back full"),
  created_on: timestamp("past"),
  id: id().describe("number of the return"),
  note: nullable(personal(text(0, 2048))).describe("note about the return"),
});

const itemFields = {
  deduct_weight: weight.describe("weight to subtract"),
  description: description.describe("the item in words"),
  heavy_weight: weight.describe("weight with the load"),
};

const optionalItemFields = {
  light_weight: weight.describe("weight without the load"),
  notes: personal(text(0, 2048)).describe("notes about the item"),
  quantity: weight.describe("amount in the material's unit"),
};

export const CreateAdditionalItemModel = defineModel("CreateAdditionalItemModel", {
  ...itemFields,
  ...allOptional({
    ...optionalItemFields,
    is_completed: boolean().describe("the item is done"),
    is_declined: boolean().describe("the driver has declined the item"),
    is_failed: boolean().describe("the item was tried and failed"),
    material_item_id: id().describe("a material of the location"),
  }),
});

export const AdditionalItemModel = defineModel("AdditionalItemModel", {
  ...itemFields,
  ...allNullable(optionalItemFields),
  id: id().describe("item identifier"),
});
