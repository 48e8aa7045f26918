import { boolean, choice, id, integer, text, timestamp } from "./fields.ts";
import { jobStates } from "./job-state.ts";
import { defineModel, list, nullable, optional } from "./model.ts";

/** The kinds of records that a search finds. */
export const foundKinds = ["customer", "job", "truck", "driver"] as const;

/** How well a record fits, the best first. */
export const searchMatches = ["exact", "beginning", "part", "near"] as const;

export type FoundKind = (typeof foundKinds)[number];

export type SearchMatch = (typeof searchMatches)[number];

/** How many records a search gives at most, and where nobody says how many. */
export const hitsMax = 50;
export const hitsByDefault = 10;

/** How long the words of a search may be. */
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
  address: nullable(text(0, 1024).describe("the address of a customer that fits, else where jobs go")),
  address_id: nullable(id()),
  contact_name: nullable(text(0, 256).describe("whom to call")),
  contact_number: nullable(text(0, 256)),
  customer_id: nullable(id().describe("whose job it is")),
  customer_name: nullable(text(0, 256)),
  id: id(),
  is_active: boolean().describe("false of what is out of use, and of jobs that are over"),
  kind: choice(foundKinds),
  last_job: nullable(FoundJobModel),
  location_id: nullable(id().describe("the location of what belongs to one")),
  match: choice(searchMatches),
  matched: text(1, 64).describe("what of it fits: name, reference_number, contact, phone, address or id"),
  matched_text: text(0, 2048),
  name: text(0, 256).describe("its name; of a job its reference number, else its number"),
  next_job: nullable(FoundJobModel),
  reference_number: nullable(text(0, 256)),
});

export const SearchAnswerModel = defineModel("SearchAnswerModel", {
  nearest: list(SearchHitModel).describe("when nothing fits: what fits in a part of the words"),
  results: list(SearchHitModel).describe("what fits, the best first"),
});

/** What a search asks for. */
export const searchQuery = {
  active: optional(boolean().describe("only what is in use")),
  kind: optional(choice(foundKinds).describe("only records of this kind")),
  limit: optional(integer(1, hitsMax).describe(`how many at most; ${hitsByDefault} by default`)),
  location_id: optional(id().describe("only what belongs to this location")),
  q: text(1, searchCharsMax).describe("words, a phone number or a reference number, as people say them"),
};
