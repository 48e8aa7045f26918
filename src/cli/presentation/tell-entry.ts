import type { JsonObject } from "../../models/json.ts";
import { toFullPlace } from "./customer-cells.ts";
import { tellAttempt } from "./delivery-card.ts";
import { tellMarks } from "./marks.ts";
import type { View } from "./view.ts";

/** A record within another on one line, where people have a usual way to write it; null for others. */
export function tellEntry(field: string, entry: JsonObject, view: View): string | null {
  const text = tellers[field]?.(entry, view) ?? "";
  return text === "" ? null : text;
}

const tellers: Readonly<Record<string, (entry: JsonObject, view: View) => string>> = {
  address: toFullPlace,
  attempts: tellAttempt,
  addresses: (address) =>
    [toFullPlace(address), tellMarks(address, ["is_physical"]).join(", "), toId(address)]
      .filter((part) => part !== "")
      .join(" · "),
  contact: toContact,
  locations: toAccount,
  contacts: (contact) =>
    [toContact(contact), toNotices(contact), toId(contact)].filter((part) => part !== "").join(" · "),
};

function toContact({ email, fax, name, number }: JsonObject): string {
  return [name, number, email, fax ? `fax ${fax}` : null].filter((part) => part).join(", ");
}

/** What a location keeps of a customer. */
function toAccount(account: JsonObject, view: View): string {
  const { is_active, note, reference_number, sales_rep } = account;
  const facts = [
    view.nameIn(account, "location_id"),
    reference_number ? `reference ${reference_number}` : null,
    sales_rep ? `sales rep ${sales_rep}` : null,
    is_active === false ? "deactivated" : null,
    note,
  ];
  return facts.filter((fact) => fact).join(" · ");
}

/** `hears of completed, failed jobs`. */
function toNotices(contact: JsonObject): string {
  const of = Object.keys(contact).flatMap((field) => {
    const [, what] = /^notify_on_(\w+)_request$/.exec(field) ?? [];
    return what !== undefined && contact[field] === true ? [what] : [];
  });
  return of.length === 0 ? "" : `hears of ${of.join(", ")} jobs`;
}

const toId = ({ id }: JsonObject) => `id ${id}`;
