import type { Answer, JsonRecord, JsonValue } from "../../../src/cli/output/answer.ts";
import type { OutputOptions } from "../../../src/cli/output/options.ts";

/** An answer as the API would send it. */
export function answer(value: JsonValue): Answer {
  return { value, text: JSON.stringify(value) };
}

/** Options for a table on a terminal of 80 columns without color. `changes` override them. */
export function options(changes: Partial<OutputOptions> = {}): OutputOptions {
  return {
    form: "table",
    fields: null,
    knownFields: [],
    columns: [],
    isTerminal: true,
    width: 80,
    color: false,
    ...changes,
  };
}

/** A page of a list. */
export function page(
  results: JsonRecord[],
  place: { limit: number; index: number; count: number },
): JsonRecord & { results: JsonRecord[] } {
  return {
    current_limit: place.limit,
    current_page: place.index,
    results,
    total_count: place.count,
    total_pages: Math.ceil(place.count / place.limit),
  };
}

/** Realistic names, including wide, combining, and hostile ones. */
export const names = [
  "Acme Recycling & Waste Co.",
  "上海环保科技有限公司",
  "Müller & Söhne Containerdienst und Entsorgung GmbH",
  "👩‍🔧 Fix-It Crew 🚛",
  "ภูมิใจ รีไซเคิล",
  "Evil\u001b[31m \u001b]0;pwned\u0007\nCorp",
];

export const jobColumns = [
  "id",
  "type",
  "schedule_date",
  "customer.name",
  "truck_id",
  "dispatch_priority",
  "is_completed",
  "reference_number",
];

export const jobFields = [
  ...["customer.id", "customer.name", "customer.note", "dispatch_priority", "driver_notes", "id"],
  ...["images", "is_completed", "reference_number", "schedule_date", "truck_id", "type"],
];

export function job(id: number, name = names[0] ?? ""): JsonRecord {
  return {
    customer: { id: id - 1000, name, note: null },
    dispatch_priority: id % 2 ? "H" : null,
    driver_notes: null,
    id,
    images: [],
    is_completed: id % 3 === 0,
    reference_number: id % 2 ? `PO-${88_000 + id}` : null,
    schedule_date: "2026-11-21T08:45:30.123456",
    truck_id: id % 3 ? id - 998 : null,
    type: "D",
  };
}

/** Page 1 of 4 of a list of jobs. The customers have all kinds of names. */
export function jobList() {
  const jobs = names.map((name, index) => job(1001 + index, name));
  return page(jobs, { limit: 6, index: 1, count: 2000 });
}

export function customer(): JsonRecord {
  return {
    account_number_1: "AC-10-4471",
    account_number_2: null,
    addresses: [address(70), { ...address(71), line_1: "Werkstraße 7", line_2: "Hinterhof" }],
    contacts: [contact(7), { ...contact(8), name: "山田 太郎", number: null }],
    created_on: "2026-03-02T07:12:44.120311",
    id: 7,
    is_active: true,
    is_commercial: false,
    location_id: 1,
    name: "上海环保科技有限公司",
    note: "Gate code 4417. Call ahead when the yard is closed; the night guard opens the north gate only.\nDogs on site!",
    parent_id: null,
    reference_number: "",
    sales_rep: null,
  };
}

function address(id: number): JsonRecord {
  return {
    country: "US",
    id,
    is_active: true,
    is_billing: true,
    is_physical: true,
    is_shipping: false,
    latitude: 40.712776,
    line_1: "1200 Industrial Pkwy",
    line_2: null,
    locality: "Springfield",
    longitude: -74.005974,
    postcode: "62704",
    region: "IL",
  };
}

function contact(id: number): JsonRecord {
  return {
    email: "dispatch@acme.example",
    fax: null,
    id,
    name: "Dana Whitfield",
    notify_on_acknowledged_request: false,
    notify_on_completed_request: true,
    notify_on_dispatched_request: false,
    notify_on_failed_request: true,
    notify_on_new_request: false,
    number: "+1 217 555 0142",
  };
}
