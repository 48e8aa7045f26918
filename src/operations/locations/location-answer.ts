import { CreateLocationContactModel } from "../../models/location.ts";
import { CreateLocationAddressModel, type SentAddress } from "../../models/location-address.ts";
import type { Location } from "../../store/queries/locations.ts";
import { toNewFields } from "../record-changes.ts";

/** A location as the interface shows it: its address and its contact with all their fields. */
export function toLocationAnswer(location: Location) {
  const { address, contact } = location;
  return {
    ...location,
    address: toWholeAddress(address),
    contact: contact && toNewFields(CreateLocationContactModel, contact, {}),
  };
}

/** An address with all its fields, null where it has no value. */
export function toWholeAddress(address: SentAddress | null) {
  return address && toNewFields(CreateLocationAddressModel, address, {});
}
