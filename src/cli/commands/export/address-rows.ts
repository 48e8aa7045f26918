import type * as z from "zod";
import type { Operation } from "../../../core/operation.ts";
import type { ApiVersion } from "../../../models/api-versions.ts";
import type { AnswerModel, Shape } from "../../../models/model.ts";
import { unwrap } from "../../../models/parse.ts";
import { fieldPathsOf, recordOf } from "../../../models/versions/field-paths.ts";
import { joinEntries } from "../../../sync/rows/joined-entries.ts";
import { isRecord, type JsonRecord, type JsonValue } from "../../output/answer.ts";

/** A sheet of customers: a row for each address, with the contacts and the locations in columns. */
export interface AddressSheet {
  fields: readonly string[];
  toRows(customer: JsonRecord, columns: readonly string[]): JsonRecord[];
}

export function toAddressSheet({ output }: Operation, version: ApiVersion): AddressSheet {
  const { shape } = recordOf(output as AnswerModel);
  const inner = (list: string) => (shape[list] ? fieldPathsOf(toEntry(shape[list]), version) : []);
  const own = fieldPathsOf(output as AnswerModel, version).filter((field) => !lists.has(field));
  const addressColumns = inner("addresses").map((field) => ({ column: toAddressColumn(field), field }));
  const isOfAddress = new Set(addressColumns.map(({ column }) => column));
  const fields = [
    ...own,
    ...isOfAddress,
    ...inner("contacts").map((field) => `contact_${field}`),
    ...inner("locations").map((field) => `locations.${field}`),
  ];
  const toRows = (customer: JsonRecord, columns: readonly string[]) => {
    const { addresses, contacts, locations, ...kept } = customer;
    const contact = joinFields(contacts, inner("contacts"), (field) => `contact_${field}`);
    const common = { ...kept, ...contact, locations: joinFields(locations, inner("locations")) };
    const entries = entriesOf(addresses);
    if (entries.length === 0 || !columns.some((column) => isOfAddress.has(column))) return [common];
    return entries.map((entry) => ({
      ...common,
      ...Object.fromEntries(addressColumns.map(({ column, field }) => [column, entry[field] ?? null])),
    }));
  };
  return { fields, toRows };
}

const lists: ReadonlySet<string> = new Set(["addresses", "contacts", "locations"]);

const toEntry = (list: z.ZodType) =>
  unwrap((unwrap(list) as z.ZodArray<z.ZodType>).element) as AnswerModel & z.ZodObject<Shape>;

/** The customer has an id and a state of its own. */
const toAddressColumn = (field: string) =>
  field === "id" || field === "is_active" ? `address_${field}` : field;

const entriesOf = (list: JsonValue | undefined) => (Array.isArray(list) ? list.filter(isRecord) : []);

function joinFields(
  list: JsonValue | undefined,
  fields: readonly string[],
  toColumn = (field: string) => field,
): JsonRecord {
  const entries = entriesOf(list);
  return Object.fromEntries(
    fields.map((field) => [toColumn(field), joinEntries(entries.map((entry) => entry[field] ?? null))]),
  );
}
