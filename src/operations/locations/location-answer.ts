import { toWholeAddress } from "../../models/location-address.ts";
import type { Location } from "../../store/queries/locations.ts";

/** A location as the interface shows it: its address and its contact with all their fields. */
export function toLocationAnswer(location: Location) {
  const { address, contact } = location;
  return {
    ...location,
    address: toWholeAddress(address),
    contact: contact && {
      email: contact.email ?? null,
      name: contact.name ?? null,
      number: contact.number ?? null,
    },
  };
}
