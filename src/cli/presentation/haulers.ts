import type { PresentationsOf, Told } from "./presentation.ts";

/** `Big Haul is connected with Acme`. */
const toldConnected: Told = {
  tell: ({ after }, view) => {
    const what = after.is_approved === true ? "is connected" : "has asked to be connected";
    return `${view.nameIn(after, "third_party_hauler_id")} ${what} with ${after.provider_name}`;
  },
  names: ["third_party_hauler_id"],
};

/** What the terminal adds to the operations of haulers. */
export const haulers = {
  "haulers.create": {
    example:
      'haulers create --company-name "Big Haul" --username office@bighaul.example --password-file password.txt --recaptcha none-here',
  },
  "haulers.list": { columns: ["id", "name"], example: "haulers list" },
  "haulers.get": { example: "haulers get 7c9e6679-7425-40de-944b-e07fc1f90ae7" },
  "haulers.connect": {
    told: toldConnected,
    example: "haulers connect 7c9e6679-7425-40de-944b-e07fc1f90ae7 --tenant-code CAPITAL",
  },
  "haulers.connections": {
    columns: ["provider_id", "provider_name", "location", "requested_on", "is_approved", "approved_on"],
    example: "haulers connections 7c9e6679-7425-40de-944b-e07fc1f90ae7",
  },
} satisfies PresentationsOf<"haulers">;
