import type { AnswerNamed, Client } from "../../../client/client.ts";
import { DispatchError } from "../../../errors/errors.ts";
import { onlyMatch } from "../../../records/match-names.ts";
import type { OptionValues } from "../../context.ts";
import { findRecords, type Scope } from "../../names/record-finder.ts";
import { namedKind } from "../../names/resolve-input.ts";

export type FoundHit = AnswerNamed<"search.find">["results"][number];

/** The target and time options to pass on. */
const passedOn = {
  profile: "--profile",
  data: "--data",
  secretKeyFile: "--secret-key-file",
  url: "--url",
  tokenFile: "--token-file",
  tenant: "--tenant",
  as: "--as",
  dateOrder: "--date-order",
} as const;

const passedFlags = { insecure: "--insecure", utc: "--utc" } as const;

/** Uses names if they are unambiguous. Omits what follows from the customer. The command asks for the rest. */
export async function toJobWords(client: Client, hit: FoundHit, options: OptionValues): Promise<string[]> {
  return [
    ...["jobs", "create", "--customer", await toName(client, "customer_id", hit, {})],
    ...(await toPlaceOptions(client, hit, options)),
    ...Object.entries(passedOn).flatMap(([name, option]) =>
      options[name] === undefined ? [] : [option, String(options[name])],
    ),
    ...Object.entries(passedFlags).flatMap(([name, flag]) => (options[name] === true ? [flag] : [])),
  ];
}

/** The name if it identifies only this record, else the ID. */
export async function toName(
  client: Client,
  field: string,
  { id, name }: Pick<FoundHit, "id" | "name">,
  scope: Scope,
): Promise<string> {
  const kind = namedKind(field);
  // A name of digits could be an ID, and a dash would begin an option.
  if (!kind || !/^(?!-).*\D/.test(name)) return String(id);
  const only = onlyMatch(await findRecords(client, kind, name, scope));
  return only?.record.id === String(id) ? name : String(id);
}

/** The options for the place, unless they follow from the customer. */
async function toPlaceOptions(client: Client, hit: FoundHit, options: OptionValues): Promise<string[]> {
  const known = await readCustomer(client, hit.id);
  const shipping = known?.addresses.filter(({ is_active, is_shipping }) => is_active && is_shipping) ?? [];
  const followsAddress = shipping.length === 1 && shipping[0]?.id === hit.address_id;
  const found = known?.addresses.find(({ id }) => id === hit.address_id);
  const line = { id: hit.address_id ?? 0, name: found?.line_1 ?? "" };
  const address =
    hit.address_id === null || followsAddress
      ? []
      : ["--address", await toName(client, "address_id", line, { customer_id: String(hit.id) })];
  const followsLocation = known?.locations.filter(({ is_active }) => is_active).length === 1;
  const last = hit.next_job?.location_id ?? hit.last_job?.location_id;
  const location =
    options.location ?? (followsLocation || last === undefined ? null : await at(client, last));
  return [...address, ...(location === null ? [] : ["--location", String(location)])];
}

async function readCustomer(client: Client, id: number) {
  try {
    return await client.call("customers.get", { params: { customer_id: id } });
  } catch (error) {
    if (error instanceof DispatchError) return null;
    throw error;
  }
}

async function at(client: Client, id: number): Promise<string> {
  const { name } = await client.call("locations.get", { params: { location_id: id } });
  return toName(client, "location_id", { id, name }, {});
}
