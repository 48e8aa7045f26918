import { boolean, emailList, id, text } from "./fields.ts";
import { allNullable, allOptional, allResettable, defineModel } from "./model.ts";
import { defineList } from "./page.ts";
import { personal } from "./personal.ts";

const reachFields = {
  email: personal(emailList(256).describe("one or more e-mail addresses, comma-separated")),
  fax: personal(text(7, 15)),
  name: personal(text(1, 128)),
  number: personal(text(1, 90).describe("telephone number")),
};

const notifyFields = {
  notify_on_acknowledged_request: boolean(),
  notify_on_completed_request: boolean(),
  notify_on_dispatched_request: boolean(),
  notify_on_failed_request: boolean(),
  notify_on_new_request: boolean(),
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
  id: id(),
});

export const CustomerContactListModel = defineList("CustomerContactListModel", CustomerContactModel);
