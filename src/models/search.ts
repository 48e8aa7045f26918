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
  id: id(),
  location_id: id(),
  reference_number: nullable(text(1, 256)),
  schedule_date: nullable(timestamp()),
  state: choice(jobStates),
  truck_id: nullable(id()),
  truck_name: nullable(text(0, 256)),
  type: text(1, 1),
});

export const SearchHitModel = defineModel("SearchHitModel", {
  ...allNullable(absenceFields),
  address: nullable(text(0, 1024).describe("the matching address of a customer, else the shipping address")),
  address_id: nullable(id()),
  contact_name: nullable(text(0, 256).describe("the person to call")),
  contact_number: nullable(text(0, 256)),
  customer_id: nullable(id().describe("the customer of a job")),
  customer_name: nullable(text(0, 256)),
  id: id(),
  is_active: boolean().describe("false for records out of use and finished jobs"),
  kind: choice(foundKinds),
  last_job: nullable(FoundJobModel),
  location_id: nullable(id().describe("the record's location")),
  match: choice(searchMatches),
  matched: text(1, 64).describe("the matching text: name, reference_number, contact, phone, address or id"),
  matched_text: text(0, 2048),
  name: text(0, 256).describe("its name; for a job its reference number or id"),
  next_job: nullable(FoundJobModel),
  note: nullable(
    text(0, 2048).describe("the note of the customer at its locations, or at the job's location"),
  ),
  reference_number: nullable(text(0, 256)),
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
