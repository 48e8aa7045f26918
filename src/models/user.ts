import type * as z from "zod";
import { apiVersions } from "./api-versions.ts";
import { haulerId } from "./asset.ts";
import { boolean, choice, id, integer, text, timestamp, tokenText, uuid } from "./fields.ts";
import {
  allOptional,
  defineModel,
  type FilterValues,
  list,
  nullable,
  optional,
  replaceable,
  resettable,
} from "./model.ts";
import { defineList } from "./page.ts";
import { personal } from "./personal.ts";

export const roles = [
  "Admin",
  "ClientCustomer",
  "CrmUser",
  "Dispatcher",
  "Driver",
  "ThirdPartyDispatcher",
  "ThirdPartyDriver",
] as const;
export type Role = (typeof roles)[number];

const username = personal(text(1, 64)).describe("the name that the user signs in with");
const roleList = list(choice(roles), { min: 1, max: roles.length, distinct: true });

/** These limit the records that a user sees. */
const bindings = {
  customer_ids: list(id(), { max: 1000, distinct: true }).describe("customers a ClientCustomer acts for"),
  driver_id: id().describe("the driver a Driver or ThirdPartyDriver is"),
  location_id: id().describe("the only location the user sees"),
  third_party_hauler_id: haulerId,
};

const userRoles = roleList.describe("roles of the user");

export const CreateUserModel = defineModel("CreateUserModel", {
  ...allOptional(bindings),
  roles: userRoles,
  username,
});

const isActive = boolean().describe("false: the user and its tokens have no access");

export const UpdateUserModel = defineModel("UpdateUserModel", {
  ...allOptional(bindings),
  customer_ids: resettable(bindings.customer_ids, []),
  is_active: resettable(isActive, true),
  roles: replaceable(userRoles),
  username: replaceable(username),
});

export const UserModel = defineModel("UserModel", {
  customer_ids: bindings.customer_ids,
  dispatcher_id: nullable(id()).describe("the id of the user as a dispatcher; null without that role"),
  driver_id: nullable(bindings.driver_id),
  id: id().describe("user identifier"),
  location_id: nullable(bindings.location_id),
  roles: list(choice(roles)).describe("roles of the user"),
  third_party_hauler_id: nullable(bindings.third_party_hauler_id),
  uid: uuid().describe("identifies the person in all tenants"),
  username,
});

export type User = z.output<typeof UserModel>;

export const UserListModel = defineList("UserListModel", UserModel);

export const userFilters = {
  active: optional(boolean().describe("true only active users, false only deactivated ones")),
  username: optional(text(1, 64).describe("* matches any characters")),
};

export type UserFilters = FilterValues<typeof userFilters>;

export const CreateTokenModel = defineModel("CreateTokenModel", {
  api_version: optional(choice(apiVersions).describe("default version of answers")),
  expires_on: optional(timestamp("future").describe("when the token expires; by default never")),
  is_link: optional(
    boolean().describe("true: a sign-in link for the pages, which works once and for 10 minutes"),
  ),
  name: optional(text(1, 128).describe("purpose of the token")),
  roles: optional(roleList.describe("the token's roles; by default the user's")),
  username: username.describe("the user the token acts as"),
});

export const TokenModel = defineModel("TokenModel", {
  api_version: nullable(choice(apiVersions)).describe("default version of answers; null: the oldest"),
  created_by_token_id: nullable(
    id().describe("the token that created this token; revoking the first revokes this token too"),
  ),
  created_on: timestamp("past"),
  expires_on: nullable(timestamp()),
  id: id().describe("token identifier"),
  is_active: boolean().describe("false when expired or revoked"),
  is_link: boolean().describe("true: an unused sign-in link"),
  last_used_on: nullable(timestamp("past").describe("time of its last request; known after a minute")),
  name: nullable(personal(text(1, 128))).describe("purpose of the token"),
  revoked_on: nullable(timestamp("past")),
  roles: list(choice(roles)).describe("roles that the token has; never more than its user"),
  token: nullable(tokenText().describe("the token itself; shown once, at creation")),
  username,
});

export const RevokedTokenModel = defineModel("RevokedTokenModel", {
  ...TokenModel.shape,
  descendants: list(id()).describe("tokens of the tenant that were created with it and revoked too"),
  descendants_elsewhere: integer(0).describe("number of such tokens in other tenants"),
});

export const TokenListModel = defineList("TokenListModel", TokenModel);
