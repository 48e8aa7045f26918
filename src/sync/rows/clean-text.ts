import { failure } from "../../errors/errors.ts";
import { countryCodes } from "../../models/country-codes.ts";
import type { RowField } from "./row-kind.ts";

/** Reports each applied rule. Throws a usage error for a number that a spreadsheet has truncated. */
export function cleanText(
  { inner }: RowField,
  cell: string,
  tell: (rule: string, after: string) => void,
): string {
  const rules = [tidySpaces, ...(rulesOf[inner] ?? [])];
  if (numberFields.has(inner) && /^\d(?:[.,]\d+)?E\+?\d{1,2}$/i.test(cell.trim()))
    throw failure(
      "invalid_format",
      `${inner} "${cell.trim()}" is damaged: a spreadsheet has cut the number. Format its column as text and enter it again.`,
      inner,
    );
  return rules.reduce((text, { rule, apply }) => {
    const after = apply(text);
    if (after !== text) tell(rule, after);
    return after;
  }, cell);
}

interface Rule {
  rule: string;
  apply(text: string): string;
}

const tidySpaces: Rule = {
  rule: "extra spaces removed",
  apply: (text) => text.replace(/[ \u00a0\t]+/g, " ").trim(),
};

const capitals: Rule = {
  rule: "states in capitals",
  apply: (text) => (/^[a-z]{2}$/i.test(text) ? text.toUpperCase() : text),
};

/** United States only. In other countries, four digits may be complete. */
export const zipZeros: Rule = {
  rule: "ZIPs filled up to five digits",
  apply: (text) =>
    /^\d{3,4}(?:-\d{4})?$/.test(text) ? text.replace(/^\d+/, (digits) => digits.padStart(5, "0")) : text,
};

const countryCode: Rule = {
  rule: "countries replaced by their codes",
  apply: (text) => {
    const word = text.toLowerCase().replace(/[.\s]/g, "");
    const code = countryWords[word] ?? text.toUpperCase();
    return countryCodes.has(code) ? code : text;
  },
};

const countryWords: Readonly<Record<string, string>> = {
  usa: "US",
  unitedstates: "US",
  unitedstatesofamerica: "US",
  america: "US",
  canada: "CA",
  mexico: "MX",
  uk: "GB",
  unitedkingdom: "GB",
  greatbritain: "GB",
  australia: "AU",
  newzealand: "NZ",
  germany: "DE",
};

const rulesOf: Readonly<Record<string, readonly Rule[]>> = {
  region: [capitals],
  state: [capitals],
  country: [countryCode],
};

/** Identifiers whose names contain "number" by chance. */
const numberFields: ReadonlySet<string> = new Set([
  "account_number_1",
  "account_number_2",
  "customer_number",
  "customer_phone",
  "fax",
  "number",
  "phone_number",
  "postcode",
  "reference_number",
  "zip",
]);
