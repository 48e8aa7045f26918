import { absenceFields } from "./absence.ts";
import { boolean, choice, id, integer, text, timestamp } from "./fields.ts";
import { jobStates } from "./job-state.ts";
import { allNullable, defineModel, list, nullable, optional } from "./model.ts";

export const foundKinds = ["customer", "job", "truck", "driver"] as const;

/** The best first. */
export const searchMatches = ["exact", "beginning", "part", "near"] as const;

export type FoundKind = (typeof foundKinds)[number];

export type SearchMatch = (typeof searchMatches)[number];

export const hitsMax = 50;
export const hitsByDefault = 10;

/** How many records with a very common word are compared and counted. */
export const comparedMax = 150;

export const searchCharsMax = 256;

const FoundJobModel = defineModel("FoundJobModel", {
  id: id().describe("the job"),
  location_id: id().describe("the location that dispatches it"),
  reference_number: nullable(text(1, 256)).describe("its number in another system"),
  schedule_date: nullable(timestamp()),
  state: choice(jobStates).describe("its state in one word"),
  truck_id: nullable(id()).describe("the truck that does it"),
  truck_name: nullable(text(0, 256)).describe("name of that truck"),
  type: text(1, 1).describe("D drop-off, E exchange, L live load, P pickup, R service"),
});

export const SearchHitModel = defineModel("SearchHitModel", {
  ...allNullable(absenceFields),
  address: nullable(text(0, 1024).describe("the matching address of a customer, else the shipping address")),
  address_id: nullable(id()).describe("that address; null without one"),
  contact_name: nullable(text(0, 256).describe("the person to call")),
  contact_number: nullable(text(0, 256)).describe("telephone number of that person"),
  customer_id: nullable(id().describe("the customer of a job")),
  customer_name: nullable(text(0, 256)).describe("name of that customer"),
  id: id().describe("the record, of the kind in `kind`"),
  is_active: boolean().describe("false for records out of use and finished jobs"),
  kind: choice(foundKinds).describe("the kind of the record"),
  last_job: nullable(FoundJobModel).describe("the last job of a customer"),
  location_id: nullable(id().describe("the record's location")),
  match: choice(searchMatches).describe("how well it matches: whole text, beginning, inside, or similar"),
  matched: text(1, 64).describe("the matching text: name, reference_number, contact, phone, address or id"),
  matched_text: text(0, 2048).describe("the matching text in full"),
  name: text(0, 256).describe("its name; for a job its reference number or id"),
  next_job: nullable(FoundJobModel).describe("the job itself, or the next job of a customer"),
  note: nullable(
    text(0, 2048).describe("the note of the customer at its locations, or at the job's location"),
  ),
  reference_number: nullable(text(0, 256)).describe("its number in another system"),
});

export const SearchAnswerModel = defineModel("SearchAnswerModel", {
  nearest: list(SearchHitModel).describe("without results: records that match some of the words"),
  results: list(SearchHitModel).describe("matches, best first"),
  total_count: integer(0).describe(`number of matches; from ${comparedMax} on there may be more`),
});

export const searchQuery = {
  active: optional(boolean().describe("only active records")),
  kind: optional(choice(foundKinds).describe("only records of this kind")),
  limit: optional(integer(1, hitsMax).describe(`maximum number of results (default ${hitsByDefault})`)),
  location_id: optional(id().describe("only records of this location")),
  q: text(1, searchCharsMax).describe("words, a phone number or a reference number"),
};
