import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "commander";
import { readLocations } from "../../../board/read-locations.ts";
import type { AnswerNamed, Client } from "../../../client/client.ts";
import { usageFailure } from "../../../errors/errors.ts";
import { type Place, toKnownPlace } from "../../../geography/projection.ts";
import { isApproximate, openZipCenters } from "../../../geography/zip-centers.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { say, showFacts } from "../../output/tell.ts";
import { toFullPlace } from "../../presentation/cells.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import { useTarget } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";
import { askGeocoder, parseGeocoder } from "./ask-geocoder.ts";

export function customersGeocodeCommand(context: CliContext): Command {
  const command = defineBuiltin("geocode", "write")
    .description(
      "Replace approximate positions of customers' addresses by those of a geocoder that you name. Without DISPATCH_GEOCODER it sends nothing.",
    )
    .option("--per-second <n>", "requests a second to the geocoder", "1")
    .option("--dry-run", "count the addresses, and send and store nothing")
    .option("--yes", "do not ask");
  addFormOption(addTargetOptions(command)).addHelpText("after", notes);
  return command.action(() => {
    const { dryRun, perSecond, ...options } = command.opts();
    const rate = Number(perSecond);
    if (!(rate > 0)) throw usageFailure(`--per-second "${perSecond}" is not a number above 0.`, "Write 1.");
    const { env } = context;
    const geocoder = dryRun === true ? null : parseGeocoder(env.DISPATCH_GEOCODER);
    return useTarget(context, options, async (target, settings) => {
      const { client } = target;
      const found = await findApproximate(client);
      const count = `${found.length} ${found.length === 1 ? "address" : "addresses"}`;
      const facts = { approximate: found.length, changed: 0, located: 0, unknown: 0 };
      if (geocoder === null || found.length === 0)
        return showFacts(context, settings, facts, [`${count} with an approximate position.`]);
      await requireYes(context, `Send ${count} to ${geocoder.host}, and store the positions?`, options);
      for (const [index, { customer, ...one }] of found.entries()) {
        if (index > 0) await pause(1000 / rate);
        const text = toFullPlace(one.address);
        const place = await askGeocoder(env.DISPATCH_GEOCODER ?? "", text);
        const params = { customer_address_id: one.address.id, customer_id: customer.id };
        const outcome = place === null ? "unknown" : await store(client, { params, place, text });
        facts[outcome] += 1;
        if (outcome === "unknown")
          say(context.stderr, `${customer.name}: the geocoder does not know ${text}.`);
        if (outcome === "changed") say(context.stderr, `${customer.name}: the address is no longer ${text}.`);
      }
      const unknown =
        facts.unknown === 0 ? "" : `; ${facts.unknown} unknown to the geocoder stay approximate`;
      const changed = facts.changed === 0 ? "" : `; ${facts.changed} changed during the run`;
      showFacts(context, settings, facts, [`${facts.located} of ${count} located${unknown}${changed}.`]);
    });
  });
}

/** A run takes hours for thousands of addresses, while people work. */
async function store(
  client: Client,
  {
    params,
    place,
    text,
  }: { params: { customer_address_id: number; customer_id: number }; place: Place; text: string },
): Promise<"changed" | "located"> {
  const { answer: address, etag } = await client.exchange("addresses.get", { params });
  if (!address.is_active || toFullPlace(address) !== text) return "changed";
  await client.call("addresses.update", { params, body: place, ...(etag !== null && { ifMatch: etag }) });
  return "located";
}

type Customer = AnswerNamed<"customers.list">["results"][number];

async function findApproximate(client: Client) {
  const centerOf = await openZipCenters();
  const homes = (await readLocations(client)).map(({ address }) => toKnownPlace(address));
  const found: { address: Customer["addresses"][number]; customer: Customer }[] = [];
  for await (const customer of client.pages("customers.list", { query: { active: true, page_limit: 1000 } }))
    for (const address of customer.addresses) {
      const isAbout = [null, ...homes].some((home) => isApproximate(address, centerOf, home));
      if (address.is_active && isAbout) found.push({ address, customer });
    }
  return found;
}

const notes = `
A position is approximate if it is the center of its ZIP or the position of a
location. The geocoder's answer replaces it at once, so a second run asks only for
the rest. DISPATCH_GEOCODER is an https address with {address} for the address in
one line; the answer is that of Nominatim or of the US Census geocoder:
https://geocoding.geo.census.gov/geocoder/locations/onelineaddress?benchmark=Public_AR_Current&format=json&address={address}

Positions from a CSV file need no geocoder: \`export customers --out c.csv\`, edit
the columns latitude and longitude, and \`import customers c.csv --key id\`.

Example:
  dispatch-cli customers geocode --dry-run`;
