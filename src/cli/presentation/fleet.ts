import { isOffFrom, sayAbsence } from "../../local-time/absence.ts";
import type { Absence } from "../../models/absence.ts";
import { isObject, type JsonObject } from "../../models/json.ts";
import { showPhone } from "../../models/show-phone.ts";
import { toMarkCells, toOwnPlace, toPosition } from "./cells.ts";
import { tellOf } from "./change.ts";
import type { Card, Cells, Learned, PresentationsOf, Told } from "./presentation.ts";
import type { View } from "./view.ts";

const toldOrdered: Told = {
  tell: ({ after }, view) => {
    const jobs = Array.isArray(after.jobs) ? after.jobs.join(", ") : "";
    return `${view.nameIn(after, "truck_id")} does jobs ${jobs} in this order`;
  },
  names: ["truck_id"],
};

// Most drivers have these rights, so a list does not show them.
const rights = [
  "can_convert_to_group",
  "can_create_requests",
  "can_edit_requests",
  "can_reposition_asset",
  "disable_shift_tracking",
];

const driverCard: Card = {
  leads: {
    phone: ({ phone_number }) => showPhone(String(phone_number ?? "")),
    email: ({ email }) => String(email ?? ""),
    address: toOwnPlace,
  },
  tells: ["address", "city", "email", "phone_number", "state", "zip"],
};

/** Flags, and an absence that is not over. */
function toFleetCells(besides: readonly string[], word: "off" | "out of service"): Cells {
  const marksOf = toMarkCells(besides).marks;
  const toAbsence = (record: JsonObject, view: View) => {
    // Records of the newest version have the types of the model.
    const absence = record as unknown as Absence;
    const times = view.timesOf(record);
    return isOffFrom(absence, times.today, times.zone) ? sayAbsence(absence, times, word) : "";
  };
  return {
    marks: (record, view) =>
      [marksOf?.(record, view), toAbsence(record, view)].filter((text) => text !== "").join(", "),
  };
}

const toldConnected: Told = {
  tell: ({ after }, view) => {
    const what = after.is_approved === true ? "is connected" : "asked to be connected";
    return `${view.nameIn(after, "third_party_hauler_id")} ${what} with ${after.provider_name}`;
  },
  names: ["third_party_hauler_id"],
};

const toldRecorded: Told = {
  tell: ({ after }, view) => {
    const truck = view.nameIn(after, "truck_id");
    const who = `${view.nameIn(after, "driver_id")}${truck === null ? "" : ` on ${truck}`}`;
    const position = toPosition(after);
    return position === "" ? `Recorded the time of ${who}, without a position` : `${who} is at ${position}`;
  },
  names: ["driver_id", "truck_id"],
};

function toNamed(party: unknown): JsonObject {
  if (!isObject(party)) return {};
  return party.type === "driver" ? { driver_id: party.id } : { user_id: party.id };
}

const tellParty = (party: unknown, view: View) =>
  view.nameIn(toNamed(party), "driver_id") ?? view.nameIn(toNamed(party), "user_id") ?? "";

function learnParties(messages: readonly JsonObject[]): Learned {
  const records = messages.flatMap(({ receiver, sender }) => [toNamed(receiver), toNamed(sender)]);
  return { fields: ["driver_id", "user_id"], records };
}

export const presentations = {
  "trucks.list": {
    cells: toFleetCells(["require_odometer"], "out of service"),
    columns: ["id", "name", "type", "driver", "weight", "marks"],
    example: "trucks list --location 1",
  },
  "trucks.all": {
    cells: toFleetCells(["require_odometer"], "out of service"),
    columns: ["id", "location", "name", "type", "driver", "weight", "marks"],
    example: "trucks all",
  },
  "trucks.get": { example: "trucks get 3 --location 1" },
  "trucks.create": { example: 'trucks create --location 1 --name "Truck 7"' },
  "trucks.update": { example: "trucks update 3 --location 1 --driver-id 9" },
  "trucks.order-jobs": {
    told: toldOrdered,
    example: "trucks order-jobs 3 --location 1 --jobs 2",
    notes: `Jobs that are not named follow in their current order. \`jobs route\` proposes a short
order; \`jobs move\` moves one job.`,
  },
  "trucks.job-list-pdf": { example: "trucks job-list-pdf 3 --location 1 --out list.pdf" },
  "drivers.list": {
    cells: toFleetCells(rights, "off"),
    columns: ["id", "name", "phone_number", "username", "license_number", "marks"],
    example: "drivers list --location 1",
  },
  "drivers.all": {
    cells: toFleetCells(rights, "off"),
    columns: ["id", "location", "name", "phone_number", "username", "license_number", "marks"],
    example: "drivers all",
  },
  "drivers.get": { card: driverCard, example: "drivers get 7 --location 1" },
  "drivers.create": {
    card: driverCard,
    example: 'drivers create --location 1 --name "Robin Reyes" --phone-number 202-555-0142',
  },
  "drivers.update": { card: driverCard, example: "drivers update 9 --location 1 --is-deactivated" },
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
  "gps.last": {
    columns: ["truck", "measured_on", "position", "velocity", "bearing", "driver"],
    cells: { position: toPosition },
    example: "gps last --location 1",
  },
  "gps.record": {
    told: toldRecorded,
    example: `gps record --location 1 --as drew --position '{"coords":{"latitude":38.9,"longitude":-77},"timestamp":"2026-01-05T08:30:00Z"}'`,
  },
  "chats.send": {
    told: {
      tell: ({ after }, view) =>
        `Message ${after.id} sent to ${tellParty(after.receiver, view)}: ${after.text}`,
      learns: ({ after }) => learnParties([after]),
    },
    example: 'chats send --driver 7 --receiver type=driver,id=7 --text "Gate code is 4711"',
  },
  "chats.list": {
    columns: ["id", "sent_on", "from", "to", "text", "is_read"],
    cells: {
      from: ({ sender }, view) => tellParty(sender, view),
      to: ({ receiver }, view) => tellParty(receiver, view),
    },
    learns: learnParties,
    example: "chats list --driver 7 --is-read false",
  },
  "chats.edit": {
    told: { tell: (change, view) => tellOf(`Message ${change.after.id}`, change, view) },
    example: "chats edit 1 --driver 7 --is-read true --as drew",
  },
  "chats.recipients": { columns: ["type", "id", "name"], example: "chats recipients --driver 7" },
} satisfies PresentationsOf<"trucks" | "drivers" | "haulers" | "gps" | "chats">;
