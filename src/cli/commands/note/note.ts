import type { Command } from "commander";
import type { Client } from "../../../client/client.ts";
import { failure } from "../../../errors/errors.ts";
import { kindOf } from "../../../records/record-kinds.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { readLocation } from "../../names/read-location.ts";
import { showFacts } from "../../output/tell.ts";
import { chooserOf } from "../../prompts/chooser.ts";
import { useTarget } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";

type NotedNoun = "customers" | "jobs";

export function noteCommand(context: CliContext, noun: NotedNoun): Command {
  const { label } = kindOf(noun);
  const field = noun === "jobs" ? "dispatcher_notes" : "note";
  const command = defineBuiltin("note", "write")
    .description(
      `Add a line to the ${field} of a ${label}${noun === "jobs" ? "" : " at its locations"}. An empty text removes all of them.`,
    )
    .argument(`<${label}>`, `the ${label}, by ID or name`)
    .argument("<text...>", "the note")
    .option("--location <name>", `the ${label}'s location, by ID or name`)
    .option("--dry-run", "show the notes after the change, and store nothing");
  const example =
    noun === "jobs" ? 'jobs note 17 "gate code 4411"' : 'customers note "potomac schools trust" "COD only"';
  addFormOption(addTargetOptions(command)).addHelpText("after", `\nExample:\n  dispatch-cli ${example}`);
  return command.action((word: string, words: readonly string[]) => {
    const { dryRun, ...options } = command.opts();
    return useTarget(context, options, async (target, settings) => {
      const { client } = target;
      const kind = { ...kindOf(noun), list: `${noun}.list` as const };
      const tells = settings.form === "table";
      const resolving = { context, client, choose: chooserOf(context, options), tells };
      const { location } = options;
      const locationId =
        location === undefined ? null : await readLocation(context, settings, target, options);
      const scope: Record<string, string> = locationId === null ? {} : { location_id: String(locationId) };
      const { resolveText } = await import("../../names/resolve-input.ts");
      const { id, params } = await resolveText(resolving, kind, word, scope, true);
      const add = noun === "jobs" ? addToJob : addToCustomer;
      const noted = await add(client, {
        dryRun: dryRun === true,
        id: Number(id),
        location: locationId ?? params.location_id,
        text: words.join(" "),
      });
      const facts = { id: Number(id), [field]: noted.text };
      showFacts(context, settings, facts, [
        `${noted.name}${dryRun === true ? " would have" : ""}: ${noted.text?.replaceAll("\n", " · ") ?? "no notes"}`,
      ]);
    });
  });
}

interface Addition {
  dryRun: boolean;
  id: number;
  location: number | string | undefined;
  text: string;
}

interface Noted {
  name: string;
  text: string | null;
}

async function addToJob(client: Client, { dryRun, id: jobId, location, text }: Addition): Promise<Noted> {
  const params = { job_id: jobId, location_id: Number(location) };
  const { answer, etag } = await client.exchange("jobs.get", { params });
  const notes = addLine(answer.dispatcher_notes, text);
  const body = { dispatcher_notes: notes };
  await client.call("jobs.update", { params, body, dryRun, ...(etag !== null && { ifMatch: etag }) });
  return { name: `Job ${jobId}`, text: notes };
}

/** A customer has a note at each location. Without a named location, the line goes to all. */
async function addToCustomer(
  client: Client,
  { dryRun, id: customerId, location, text }: Addition,
): Promise<Noted> {
  const { locations, name } = await client.call("customers.get", { params: { customer_id: customerId } });
  const wanted = locations.filter(({ is_active, location_id }) =>
    location === undefined ? is_active : location_id === Number(location),
  );
  if (wanted.length === 0)
    throw failure("record_not_found", `${name} has no record at ${location ?? "a location"}.`);
  let note: string | null = null;
  for (const { location_id } of wanted) {
    const params = { customer_id: customerId, customer_location_id: location_id };
    const { answer, etag } = await client.exchange("customer-locations.get", { params });
    note = addLine(answer.note, text);
    await client.call("customer-locations.update", {
      params,
      body: { note },
      dryRun,
      ...(etag !== null && { ifMatch: etag }),
    });
  }
  return { name, text: note };
}

/** The newest line first: a narrow screen cuts the end. */
function addLine(before: string | null | undefined, text: string): string | null {
  return text.trim() === "" ? null : [text, before].filter((line) => line).join("\n");
}
