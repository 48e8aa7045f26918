import { boolean, email, id, password, text, timestamp, uuid } from "./fields.ts";
import { defineModel, nullable } from "./model.ts";
import { defineList } from "./page.ts";

export const CreateHaulerRequestModel = defineModel("CreateHaulerRequestModel", {
  company_name: text(1, 64).describe("name of the hauler's company"),
  password: password().describe("with a capital letter and a digit; only its hash is kept"),
  recaptcha: text(8, 512).describe("answer to a captcha; only its length is checked, and it is not kept"),
  username: email(256).describe("e-mail address, one account each"),
});

export const ThirdPartyHaulerModel = defineModel("ThirdPartyHaulerModel", {
  id: uuid().describe("hauler identifier"),
  name: text(1, 64).describe("name of the company"),
});

export const ThirdPartyHaulerListModel = defineList("ThirdPartyHaulerListModel", ThirdPartyHaulerModel);

export const CreateHaulerConnectionRequestModel = defineModel("CreateHaulerConnectionRequestModel", {
  tenant_code: text(1, 128).describe("the code of the tenant, from the tenant"),
});

export const ThirdPartyHaulerConnectionModel = defineModel("ThirdPartyHaulerConnectionModel", {
  approved_by: nullable(id().describe("the user who approved it")),
  approved_on: nullable(timestamp()),
  denied_on: nullable(timestamp()),
  is_approved: boolean().describe("the tenant has approved the connection"),
  location_id: nullable(id().describe("the only location of the connection; null means all")),
  provider_id: id().describe("the tenant that the hauler works for"),
  provider_name: text(1, 64).describe("name of that tenant"),
  requested_on: timestamp(),
  third_party_hauler_id: uuid().describe("the hauler of the connection"),
});

export const ThirdPartyHaulerConnectionListModel = defineList(
  "ThirdPartyHaulerConnectionListModel",
  ThirdPartyHaulerConnectionModel,
);
