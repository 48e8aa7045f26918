import { readZones } from "../../board/read-zones.ts";
import { untyped } from "../../client/client.ts";
import { DispatchError } from "../../errors/errors.ts";
import { sayDay } from "../../local-time/show-time.ts";
import { dayOf } from "../../local-time/whole-day.ts";
import type { JsonObject } from "../../models/json.ts";
import { parseTimestamp } from "../../models/timestamps.ts";
import { kindOfOperation } from "../../records/find-kind.ts";
import { nameOf } from "../../records/name-record.ts";
import type { RecordKind } from "../../records/record-kind.ts";
import type { CliContext } from "../context.ts";
import { toPlace } from "../presentation/cells.ts";
import { addressOf, toCustomerName } from "../presentation/job-cells.ts";
import { requireTypedName, requireYes } from "../prompts/require-yes.ts";
import type { Target } from "../target/target.ts";
import { isSevere } from "./command-operations.ts";
import type { ParsedCommand } from "./parse.ts";

/** Asks before a severe command or an unusual completion. Throws confirmation_needed and declined. */
export async function confirmCommand(
  context: CliContext,
  command: ParsedCommand,
  target: Target,
): Promise<void> {
  const { operation, options } = command;
  const kind = kindOfOperation(operation.name);
  if (!isSevere(command)) return confirmCompletion(context, command, target);
  const records = await readNamed(command, target);
  const question = toQuestion(command, target, kind, records);
  const [only, ...others] = records.values();
  const name = only === undefined || others.length > 0 ? null : nameOf(kind, only);
  if (/\.erase$|^tenants\.delete$/.test(operation.name) && name !== null)
    return requireTypedName(context, question, name, options);
  return requireYes(context, question, options);
}

/** Asks about a job on no truck or planned for a later day. */
async function confirmCompletion(context: CliContext, command: ParsedCommand, target: Target): Promise<void> {
  const zones = await readZones(target, command.settings.isUtc);
  const now = target.clock.now();
  for (const [id, job] of await readNamed(command, target)) {
    const zone = zones.of(Number(job.location_id));
    const planned = parseTimestamp(String(job.schedule_date ?? ""));
    const [day, today] = [planned === null ? null : dayOf(planned, zone), zone.dateOf(now)];
    const facts = [
      ...(job.truck_id === null ? ["it is on no truck"] : []),
      ...(day !== null && day > today ? [`it is planned for ${sayDay(day, { today })}`] : []),
    ];
    // The service refuses to complete a failed job.
    if (facts.length === 0 || job.is_failed === true) continue;
    const what = describe(kindOfOperation(command.operation.name), id, job);
    await requireYes(context, `Complete ${what}, although ${facts.join(" and ")}?`, command.options);
  }
}

/** Omits unreadable records: the change itself reports them. */
async function readNamed(
  { input, operation, own }: ParsedCommand,
  { client, store }: Target,
): Promise<Map<string, JsonObject>> {
  const { record } = operation.changes;
  const read = kindOfOperation(operation.name).get ?? record?.name;
  const records = new Map<string, JsonObject>();
  if (own?.param === "tenant_id" && store) {
    for (const id of own.ids.slice(0, readMax)) {
      const tenant = await store.service.store.accounts.findTenant(Number(id));
      if (tenant) records.set(id, { name: tenant.name });
    }
    return records;
  }
  if (own === null || read === undefined) return records;
  for (const id of own.ids.slice(0, readMax)) {
    const params = { ...input.params, ...own.records.get(id)?.params, [own.param]: id };
    try {
      records.set(id, (await untyped(client).call(read, { params })) as JsonObject);
    } catch (error) {
      if (!(error instanceof DispatchError)) throw error;
    }
  }
  return records;
}

const readMax = 5;

function toQuestion(
  { operation, shorthand, input, own }: ParsedCommand,
  { name, tenant }: Target,
  kind: RecordKind,
  records: ReadonlyMap<string, JsonObject>,
): string {
  const ids = own?.ids ?? [];
  const named = ids.map((id) => describe({ ...kind, label: "" }, id, records.get(id)).trim()).join(", ");
  const around = Object.entries(input.params)
    // The name of a record tells more than the number of its location.
    .filter(([param]) => param !== own?.param && !(param === "location_id" && records.size > 0))
    .map(([param, id]) => `, ${param.replace(/_id$/, "").replaceAll("_", " ")} ${id}`)
    .join("");
  const what = shorthand?.summary ?? operation.summary;
  const where = tenant.id === 0 ? name : `${name}, tenant ${tenant.id} (${tenant.name})`;
  return `${what}: ${kind.label}${ids.length > 1 ? "s" : ""} ${named}${around} in ${where}?`;
}

/** `job 17 (Potomac Roofing, 1745 T Street SE, Washington)` */
function describe(kind: RecordKind, id: string, record: JsonObject | undefined): string {
  const name =
    record && kind.noun === "jobs"
      ? [toCustomerName(record), toPlace(addressOf(record))].filter((part) => part !== "").join(", ")
      : record && nameOf(kind, record);
  return `${kind.label} ${id}${name ? ` (${name})` : ""}`;
}
