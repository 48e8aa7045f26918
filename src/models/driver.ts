import { absenceFields } from "./absence.ts";
import { haulerId } from "./asset.ts";
import { boolean, emailList, id, text } from "./fields.ts";
import {
  allNullable,
  allOptional,
  allResettable,
  defineModel,
  extension,
  list,
  replaceable,
} from "./model.ts";
import { defineList } from "./page.ts";
import { personal } from "./personal.ts";

const flagFields = {
  can_convert_to_group: boolean().describe("the driver may convert a job to a group, stored as given"),
  can_create_requests: boolean().describe("the driver may create jobs, stored as given"),
  can_edit_requests: boolean().describe("the driver may edit jobs, stored as given"),
  can_reposition_asset: boolean().describe("the driver may move assets, stored as given"),
  disable_shift_tracking: boolean().describe("do not track the driver's shifts, stored as given"),
};

const ids = list(id(), { max: 1000, distinct: true });

/** Only drivers.get shows these. */
const listFields = {
  can_assign_to: ids.describe("ids the driver may assign jobs to, stored as given"),
  can_dispatch_to: ids.describe("ids the driver may dispatch jobs to, stored as given"),
};

const particularFields = {
  ...absenceFields,
  address: personal(text(1, 256).describe("street address")),
  city: personal(text(1, 86)).describe("city of the driver's address"),
  email: personal(emailList(256)).describe("e-mail addresses of the driver, comma-separated"),
  license_number: personal(text(1, 100)).describe("driver's license number"),
  off_reason: personal(text(1, 200).describe("why the driver is off").meta(extension)),
  phone_number: personal(text(7, 15)).describe("telephone number of the driver"),
  state: personal(text(1, 32)).describe("state of the driver's address"),
  third_party_hauler_id: haulerId,
  username: personal(text(1, 64).describe("the name the driver signs in with")),
  zip: personal(text(1, 86)).describe("postal code of the driver's address"),
};

const isDeactivated = boolean().describe("true: the driver can no longer get a truck");
const name = personal(text(1, 64)).describe("name of the driver");

export const DriverModel = defineModel("DriverModel", {
  ...flagFields,
  ...allNullable({ ...listFields, ...particularFields }),
  id: id().describe("driver identifier"),
  is_deactivated: isDeactivated,
  location_id: id().describe("the location that the driver works for"),
  name,
});

/** Omits whom the driver may assign and dispatch to, so it shows less than a read. */
export const ChangedDriverModel = defineModel("DriverModel", DriverModel.shape);

export const DriverListModel = defineList("DriverListModel", DriverModel);

export const driverDefaults = {
  can_assign_to: [],
  can_convert_to_group: false,
  can_create_requests: false,
  can_dispatch_to: [],
  can_edit_requests: false,
  can_reposition_asset: false,
  disable_shift_tracking: false,
  is_deactivated: false,
};

export const CreateDriverModel = defineModel("CreateDriverModel", {
  ...allOptional({ ...flagFields, ...listFields, ...particularFields }),
  name,
});

export const UpdateDriverModel = defineModel("UpdateDriverModel", {
  ...allResettable({ ...flagFields, ...listFields, is_deactivated: isDeactivated }, driverDefaults),
  ...allOptional(particularFields),
  name: replaceable(name),
});
