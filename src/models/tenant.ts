import { boolean, choice, emailList, id, integer, text, timestamp, uuid } from "./fields.ts";
import {
  allNullable,
  allOptional,
  allResettable,
  defineModel,
  nullable,
  optional,
  replaceable,
} from "./model.ts";
import { defineList } from "./page.ts";
import { timeZone } from "./time-zone.ts";

const particulars = {
  address: text(1, 256).describe("street address"),
  city: text(1, 86).describe("city of the address"),
  code: text(1, 64).describe("the name that haulers use for the tenant; unique regardless of letter case"),
  email: emailList(256).describe("e-mail addresses of the tenant, comma-separated"),
  phone: text(7, 15).describe("telephone number of the tenant"),
  state: text(1, 32).describe("state of the address"),
  truck_limit: integer(0).describe("maximum number of trucks; null means no limit"),
  zip: text(1, 86).describe("postal code of the address"),
};

const name = text(1, 64).describe("name of the company");
const username = text(1, 64);
const isActive = boolean().describe("false: no token reaches the tenant");
const zone = timeZone().describe('time zone of times that people read and type (default "UTC")');
const paper = choice(["letter", "a4"]).describe("paper of printed job lists");

const tenantFields = {
  ...allNullable(particulars),
  created_on: timestamp("past"),
  id: id().describe("tenant identifier, as in x-tenant-id"),
  is_active: boolean().describe("false: no token reaches the tenant"),
  name,
  paper,
  time_zone: zone,
};

const TenantModel = defineModel("TenantModel", tenantFields);

export const TenantListModel = defineList("TenantListModel", TenantModel);

export const CreateTenantModel = defineModel("CreateTenantModel", {
  ...allOptional({ ...particulars, is_active: isActive, paper, time_zone: zone }),
  name,
  owner: optional(username.describe('the owner\'s username (default "owner")')),
  owner_uid: optional(
    uuid().describe(
      "uid of a person who has a user in another tenant; that person's own tokens then reach this tenant too",
    ),
  ),
});

export const tenantDefaults = { is_active: true, paper: "letter", time_zone: "UTC" } as const;

const frozenReason = text(1, 256).describe("reason for freezing the tenant; null ends the freeze");

export const UpdateTenantModel = defineModel("UpdateTenantModel", {
  ...allOptional({ ...particulars, frozen_reason: frozenReason }),
  ...allResettable({ is_active: isActive, paper, time_zone: zone }, tenantDefaults),
  name: replaceable(name),
});

export const DeleteTenantModel = defineModel("DeleteTenantModel", {
  days: optional(integer(0, 3650).describe("days until every row of the tenant is deleted (default 30)")),
});

export const TenantSettingsModel = defineModel("TenantSettingsModel", {
  ...tenantFields,
  deletes_on: nullable(timestamp().describe("when every row of the tenant is deleted")),
  frozen_reason: nullable(frozenReason),
  moved_to: nullable(text(1, 2048).describe("address of the server that the tenant was moved to")),
  owner: nullable(username.describe("the tenant's first user")),
});
