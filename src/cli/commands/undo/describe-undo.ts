import { DispatchError } from "../../../errors/errors.ts";
import { showDayOrMoment, showMoment, type TimeView } from "../../../local-time/show-time.ts";
import { isTimestamp } from "../../../models/timestamps.ts";
import { type AnswerNamed, createClient } from "../../../operations/client.ts";
import { loadOperation } from "../../../operations/index.ts";
import { kindOfField } from "../../../records/find-kind.ts";
import { nameOf } from "../../../records/name-record.ts";
import { locate } from "../../names/locate.ts";
import type { Target } from "../../target/target.ts";
import { readZones } from "../../target/zones.ts";

type Undo = AnswerNamed<"audit.undo">;

/** What taking a change back does, in lines: who had made it, each field now and before, and what stays. */
export async function describeUndo(
  target: Target,
  { changed_on, deliveries_sent, operation, records, remarks, username }: Undo,
  isUtc: boolean,
): Promise<string[]> {
  const zone = (await readZones(target, isUtc)).of(null);
  const view = { zone, today: zone.toLocal(target.clock.now()).date };
  const lines = [`${operation} by ${username ?? "somebody"}, ${showMoment(changed_on, view)}`];
  const names = new Map<string, string>();
  for (const { action, after, before, record_id, record_type } of records) {
    lines.push(`${record_type} ${record_id}, ${action}`);
    for (const name of Object.keys(before)) {
      const words = [];
      for (const value of [before[name], after[name]])
        words.push(await toWords(target, { name, names, value, view }));
      lines.push(`  ${name.replace(/_id$/, "").replaceAll("_", " ")}: ${words.join(" → ")}`);
    }
  }
  if (deliveries_sent > 0)
    remarks = [...remarks, `${deliveries_sent} of its deliveries to webhooks went out and stay sent.`];
  return [...lines, ...remarks.map((remark) => remark[0]?.toUpperCase() + remark.slice(1))];
}

interface Told {
  name: string;
  value: unknown;
  view: TimeView;
  /** Names of records that were asked for already. */
  names: Map<string, string>;
}

async function toWords(target: Target, { name, names, value, view }: Told): Promise<string> {
  if (value === null || value === undefined) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return isTimestamp(value) ? showDayOrMoment(value, view) : `"${value}"`;
  if (typeof value !== "number") return JSON.stringify(value);
  const key = `${name} ${value}`;
  const known = names.get(key) ?? (await nameRecord(target, name, value));
  names.set(key, known);
  return known;
}

/** What people call the record of an id; the number itself of other fields, and of records that are not to be seen. */
async function nameRecord({ caller }: Target, field: string, id: number): Promise<string> {
  const kind = kindOfField(field);
  if (!kind || !("get" in kind) || kind.idParam === undefined) return String(id);
  try {
    const place = await locate(caller, kind, String(id));
    const operation = await loadOperation(kind.get);
    const params = { ...place, [kind.idParam]: String(id) };
    const known = Object.keys(operation.params).filter((param) => param in params);
    if (known.length < Object.keys(operation.params).length) return `${kind.label} ${id}`;
    const picked = Object.fromEntries(known.map((param) => [param, String(params[param])]));
    const record: Readonly<Record<string, unknown>> = await createClient(caller).call(operation, {
      params: picked,
    });
    return nameOf(kind, record) ?? `${kind.label} ${id}`;
  } catch (error) {
    if (error instanceof DispatchError) return `${kind.label} ${id}`;
    throw error;
  }
}
