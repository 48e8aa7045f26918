import { apiVersions } from "../../../models/api-versions.ts";

export interface Step {
  words: readonly string[];
  exitCode: number;
  body?: unknown;
  /** Stores the ID of the returned record under this name; `{name}` in later words and bodies becomes the ID. */
  keep?: string;
}

export type Kept = ReadonlyMap<string, { label: string; id: number }>;

/** A day of a small company, with typical mistakes. Uses only its own location, so other records do no harm. */
export const steps: readonly Step[] = [
  keep("location", "locations create --name {name}"),
  keep("type", "asset-types create --location {location} --name Roll-off --weight 4600 --is-default true"),
  keep(
    "material",
    "materials create --location {location} --description Concrete --uom ton --unit-price 38.5",
  ),
  keep("driver", "drivers create --location {location} --name Zoë --phone-number 202-555-0142"),
  keep("truck", "trucks create --location {location} --name Truck-7 --driver-id {driver}"),
  keep("spare", "trucks create --location {location} --name Truck-8"),
  keep("asset", "assets create --location {location} --asset-type-id {type} --number 20-117"),
  keep("customer", "customers create --location {location} --body -", {
    addresses: [
      {
        country: "US",
        is_billing: true,
        is_shipping: true,
        latitude: 38.867,
        line_1: "1745 T Street SE",
        locality: "Washington",
        longitude: -76.979,
        postcode: "20020",
        region: "DC",
      },
    ],
    contacts: [{ name: "Dana", number: "555-0100" }],
    name: "Ωmega “Roofing”, 屋根 & Søn",
  }),
  keep("address", "addresses add --customer {customer} --body -", {
    country: "US",
    is_billing: false,
    is_shipping: true,
    latitude: 42.9956,
    line_1: "86 Russell Street",
    locality: "Manchester",
    longitude: -71.4548,
    postcode: "03104",
    region: "NH",
  }),
  ...inEveryForm("customers get {customer}"),
  ...inEveryForm("customers list --location {location}"),
  run("customers list --location {location} --fields id,name,addresses -o csv"),
  run("addresses list --customer {customer} -o json"),
  keep(
    "job",
    "jobs create --location {location} --type D --requested-by {customer} --address-id {address} --schedule-date 2031-03-04",
  ),
  keep("second", "jobs create --location {location} --body -", {
    address_id: "{address}",
    asset_id: "{asset}",
    dispatcher_notes: 'Ring twice;\nthen "wait", please',
    requested_by: "{customer}",
    schedule_date: "2031-03-05",
    type: "R",
  }),
  ...inEveryForm("jobs list --location {location}"),
  run("jobs list --location {location} --is-dispatched false -o json"),
  run("jobs list --location {location} --page-limit 1 --page-index 2 -o json"),
  run("jobs list --location {location} --page-index 3 -o json"),
  ...atEveryVersion("jobs get {job} --location {location} -o json"),
  ...atEveryVersion("customers get {customer} -o json"),
  run("jobs assign {job} --location {location} --truck-id {truck} -o json"),
  run("jobs acknowledge {job} --location {location} -o json"),
  run("jobs complete {job} --yes --location {location} --driver-notes Done -o json"),
  run("jobs complete {job} --yes --location {location} -o json"),
  run("jobs list --location {location} --truck-id {truck} -o json"),
  run("jobs get {job} --location {location} -o table"),
  run("jobs add-material {job} --location {location} --material-name Concrete --heavy-weight 9200 -o json"),
  run("jobs delete {second} --location {location} --yes -o json"),
  run("jobs restore {second} --location {location} -o json"),
  run("trucks update {spare} --location {location} --driver-id {driver} -o json"),
  run("trucks list --location {location} -o csv"),
  run("assets list --location {location} -o json"),
  run("jobs create --location {location} --dry-run --body - -o json", {
    address_id: "{address}",
    requested_by: "{customer}",
    type: "P",
  }),
  refused(6, "jobs decline {job} --location {location} -o json"),
  run("jobs complete {job} --yes -o json"),
  refused(2, "jobs create --location {location} --type X"),
  refused(
    2,
    "jobs create --location {location} --type D --requested-by {customer} --address-id 999999999 -o json",
  ),
  refused(6, "jobs update {job} --location {location} --body - -o json", {
    is_completed: true,
    is_failed: true,
  }),
  refused(5, "jobs get 999999999 --location {location}"),
  refused(5, "jobs get 999999999 --location {location} -o json"),
  refused(5, "jobs get one --location {location}"),
  refused(5, "jobs list --location 999999999"),
  refused(2, "jobs list --fields nothing"),
  refused(2, "jobs list --location {location} --page-limit 1001"),
  refused(2, "jobs lsit"),
  refused(2, "jobs list --lcoation 1"),
  refused(2, "customers create --location {location} --body -", { name: "" }),
  refused(2, "customers create --location {location} --body - -o json", {
    addresses: [{ line_1: "x".repeat(300) }],
    contacts: [{}],
    nmae: "x",
    name: "x",
  }),
  refused(2, "jobs delete {job} --location {location}"),
  refused(2, "trucks update {spare} --location {location} --api-version 2019/02/08 --notes x"),
  refused(5, "api GET /nowhere"),
  refused(5, "api DELETE /jobs"),
];

function run(line: string, body?: unknown): Step {
  return refused(0, line, body);
}

function refused(exitCode: number, line: string, body?: unknown): Step {
  return { exitCode, words: line.split(" "), ...(body !== undefined && { body }) };
}

function keep(name: string, line: string, body?: unknown): Step {
  return { ...run(`${line} -o json`, body), keep: name };
}

function inEveryForm(line: string): Step[] {
  return ["table", "json", "ndjson", "csv", "yaml"].map((form) => run(`${line} -o ${form}`));
}

function atEveryVersion(line: string): Step[] {
  return apiVersions.map((version) => run(`${line} --api-version ${version}`));
}

export interface Outcome {
  exitCode: number;
  stdout: string;
  stderr: string;
}
