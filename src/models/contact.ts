import { boolean, emailList, id, text } from "./fields.ts";
import { allNullable, allOptional, allResettable, defineModel } from "./model.ts";
import { defineList } from "./page.ts";
import { personal } from "./personal.ts";

const reachFields = {
  email: personal(emailList(256).describe("one or more e-mail addresses, comma-separated")),
  fax: personal(text(7, 15)).describe("fax number"),
  name: personal(text(1, 128)).describe("the contact's name"),
  number: personal(text(1, 90).describe("telephone number")),
};

const notifyFields = {
  notify_on_acknowledged_request: boolean().describe("the contact wants a notice when a job is acknowledged"),
  notify_on_completed_request: boolean().describe("the contact wants a notice when a job is completed"),
  notify_on_dispatched_request: boolean().describe("the contact wants a notice when a job is dispatched"),
  notify_on_failed_request: boolean().describe("the contact wants a notice when a job fails"),
  notify_on_new_request: boolean().describe("the contact wants a notice when a job is created"),
};

export const notifyDefaults = {
  notify_on_acknowledged_request: false,
  notify_on_completed_request: false,
  notify_on_dispatched_request: false,
  notify_on_failed_request: false,
  notify_on_new_request: false,
};

export const CreateCustomerContactModel = defineModel(
  "CreateCustomerContactModel",
  allOptional({ ...reachFields, ...notifyFields }),
);

export const UpdateCustomerContactModel = defineModel("UpdateCustomerContactModel", {
  ...allOptional(reachFields),
  ...allResettable(notifyFields, notifyDefaults),
});

export const CustomerContactModel = defineModel("CustomerContactModel", {
  ...allNullable(reachFields),
  ...notifyFields,
  id: id().describe("contact identifier"),
});

export const CustomerContactListModel = defineList("CustomerContactListModel", CustomerContactModel);
