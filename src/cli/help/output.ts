import type { OutputForm } from "../output/options.ts";
import type { HelpWriter } from "./help-writer.ts";

const forms: Readonly<Record<OutputForm, string>> = {
  table: "for people: a table, or a card for one record; the default",
  json: "exactly the answer of the interface at the API version",
  ndjson: "a line of JSON for each record",
  csv: "a heading, then a row for each record; fields inside others are named like customer.name",
  yaml: "the answer as YAML",
};

/** `help output`. */
export function describeOutput({ paragraph, terms }: HelpWriter): string {
  return [
    paragraph(
      "Answers go to stdout, everything else to stderr. -o, --output or DISPATCH_OUTPUT chooses the form:",
    ),
    "\n",
    terms(Object.entries(forms)),
    "\n",
    paragraph(
      "--fields id,customer.name shows these fields only, in any form; a field that is not there is refused with those that are. Within an API version fields may be added to json, ndjson and csv, but none is renamed or removed.",
    ),
    "\n",
    paragraph(
      "A table is as wide as the terminal; what does not fit is cut or left out, and a line on stderr says so. In a pipe only texts of more than 100 characters are cut, which is said too. Colours are for terminals only: NO_COLOR or --no-color turns them off, FORCE_COLOR=1 on.",
    ),
  ].join("");
}
