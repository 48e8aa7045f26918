import type { Command } from "commander";
import { readZones } from "../../../board/read-zones.ts";
import type { AnswerNamed, Client } from "../../../client/client.ts";
import { DispatchError, exitCodes, failure } from "../../../errors/errors.ts";
import { isOffFrom, sayAbsence } from "../../../local-time/absence.ts";
import { sayDayOrMoment } from "../../../local-time/show-time.ts";
import type { Zones } from "../../../local-time/zones.ts";
import { comparedMax, foundKinds, hitsByDefault, hitsMax } from "../../../models/search.ts";
import { showPhone } from "../../../models/show-phone.ts";
import type { Timestamp } from "../../../runtime/clock.ts";
import { toShellWord } from "../../../runtime/shell-word.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import { type CliContext, isInteractive, type OptionValues } from "../../context.ts";
import { parseId } from "../../input/option-values.ts";
import { readLocation } from "../../names/read-location.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { cutText } from "../../output/fit-text.ts";
import { openScreen, type Screen } from "../../output/screen.ts";
import { toScreenOptions } from "../../output/show.ts";
import { say, showFacts } from "../../output/tell.ts";
import { toVisible } from "../../output/text.ts";
import type { Program } from "../../program.ts";
import type { Settings } from "../../settings.ts";
import type { Target } from "../../target/target.ts";
import { useTarget } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";
import { type FoundHit, toJobWords, toName } from "./job-words.ts";

type Answer = AnswerNamed<"search.find">;

export function findCommand(context: CliContext, program: Program): Command {
  const command = defineBuiltin("find", "read")
    .description("Find customers, jobs, trucks, and drivers by name, number, or address.")
    .argument("<words...>", "a name, phone, contact, address, or reference number, or a part of one")
    .option("--kind <kind>", `only records of this kind: ${foundKinds.join(", ")}`)
    .option("--location <name>", "only records of this location, by ID or name")
    .option("--active", "only active records")
    .option("--limit <count>", `maximum number of results, 1 to ${hitsMax} (default ${hitsByDefault})`);
  addFormOption(addTargetOptions(command))
    .option("--no-input", "do not offer to create a job")
    .option("--no-color", "turn colors off (NO_COLOR)")
    .addHelpText("after", notes);
  return command.action(async (words: readonly string[]) => {
    const options = command.opts();
    const next = await useTarget(context, options, async (target, settings) => {
      const locationId = await readLocation(context, settings, target, options);
      const answer = await ask(target, words.join(" "), options, locationId);
      await show(context, settings, target, words.join(" "), answer, options);
      return offerJob(context, settings, target, answer, options);
    });
    if (next === null) return;
    const code = await program.run(next, context);
    if (code !== exitCodes.done) throw new AlreadyShown(code);
  });
}

function ask(
  { client }: Target,
  q: string,
  { active, kind, limit }: OptionValues,
  locationId: number | null,
): Promise<Answer> {
  const isKnown = kind === undefined || foundKinds.some((known) => known === kind);
  if (!isKnown) throw failure("usage", `--kind must be one of ${foundKinds.join(", ")}.`);
  const query = {
    q,
    active: active === true ? true : null,
    kind: kind === undefined ? null : String(kind),
    limit: limit === undefined ? null : parseId(limit, "--limit"),
    location_id: locationId,
  };
  return client.call("search.find", { query });
}

async function show(
  context: CliContext,
  settings: Settings,
  target: Target,
  words: string,
  answer: Answer,
  options: OptionValues,
): Promise<void> {
  if (answer.results.length === 0) {
    if (settings.form !== "table") {
      showFacts(context, settings, answer, []);
      throw new AlreadyShown(exitCodes.notFound);
    }
    const nearest = answer.nearest.slice(0, nearestMax).map(nameHit).join("; ");
    const detail = `No match for ${JSON.stringify(words)}.${nearest === "" ? "" : ` Closest: ${nearest}.`}`;
    throw new DispatchError([{ code: "record_not_found", detail, field: null, fix: notFoundFix }]);
  }
  if (settings.form !== "table") {
    showFacts(context, settings, answer, []);
    return;
  }
  const zones = await readZones(target, settings.isUtc);
  const screen = await openScreen(toScreenOptions(context, settings));
  const [best] = answer.results;
  const next = best ? await toNextWords(target.client, best, options) : null;
  const drawing = { next, now: target.clock.now(), screen, zones };
  showFacts(context, settings, answer, { drawn: drawFound(answer.results, drawing) });
  tellMore(context, answer);
}

function tellMore({ stderr }: CliContext, { results, total_count: total }: Answer): void {
  if (total <= results.length) return;
  const count = total < comparedMax ? String(total) : `${total} or more`;
  const wider = results.length < hitsMax ? `--limit ${hitsMax} shows more; ` : "";
  say(stderr, `Showing ${results.length} of ${count}; ${wider}another word finds fewer.`);
}

const nearestMax = 3;

const notFoundFix =
  "Try fewer words or a part of a word. Create a customer with `dispatch-cli customers create`.";

async function offerJob(
  context: CliContext,
  settings: Settings,
  { client }: Target,
  { results }: Answer,
  options: OptionValues,
): Promise<string[] | null> {
  const [best] = results;
  const isAsked = settings.form === "table" && context.stdout.isTTY && isInteractive(context);
  if (!isAsked || best?.kind !== "customer") return null;
  const { askKey } = await import("./ask-key.ts");
  const key = await askKey(context, `Press j to create a job for ${best.name}, or any other key to quit`);
  return key === "j" ? toJobWords(client, best, options) : null;
}

const notes = `
The best matches come first: the same name, then names that begin with the words,
names that contain them, and similar names. A phone number matches by its digits;
spaces and punctuation do not count.

Examples:
  dispatch-cli find potomac
  dispatch-cli find 555 0100
  dispatch-cli find 1745 t street
  dispatch-cli find PO-16229 --kind job`;

interface Drawing {
  next: readonly string[] | null;
  now: Timestamp;
  screen: Screen;
  zones: Zones;
}

function drawFound([best, ...others]: readonly FoundHit[], drawing: Drawing): string[] {
  if (!best) return [];
  const { screen } = drawing;
  const lines = others.map((hit) => cutText(toLine(hit, drawing), screen.columns));
  const next = drawing.next && `dispatch-cli ${drawing.next.map(toShellWord).join(" ")}`;
  return [
    ...drawBest(best, drawing),
    ...(next === null ? [] : [screen.paint.faint(`  ${toVisible(next)}`)]),
    ...(lines.length === 0 ? [] : ["", ...lines]),
  ];
}

function nameHit({ id, kind, name }: FoundHit): string {
  return toVisible(name === `${kind} ${id}` ? name : `${kind} ${id} ${name}`);
}

function toOff(hit: FoundHit, { now, zones }: Drawing): string | null {
  const zone = zones.of(hit.location_id);
  const view = { today: zone.dateOf(now), zone };
  if (!isOffFrom(hit, view.today, zone)) return null;
  return sayAbsence(hit, view, hit.kind === "truck" ? "out of service" : "off");
}

function toLine(hit: FoundHit, drawing: Drawing): string {
  const number = hit.contact_number && showPhone(hit.contact_number);
  const phone = number === null ? null : [hit.contact_name, number].filter(Boolean).join(" ");
  const parts = [nameHit(hit), hit.customer_name, hit.address, phone, hit.is_active ? null : "inactive"];
  parts.push(toOff(hit, drawing));
  const isOver = hit.kind === "job" && !hit.is_active;
  return parts
    .map((part) => (isOver && part === "inactive" ? (hit.next_job?.state ?? null) : part))
    .filter((part) => part !== null && part !== "")
    .map((part) => toVisible(String(part)))
    .join(" · ");
}

function drawBest(hit: FoundHit, drawing: Drawing): string[] {
  const { now, screen, zones } = drawing;
  const { paint } = screen;
  const toJob = (job: FoundHit["last_job"]) => {
    if (!job) return null;
    const zone = zones.of(job.location_id);
    const date = job.schedule_date
      ? sayDayOrMoment(job.schedule_date, { zone, today: zone.dateOf(now) })
      : "no date";
    // The first line already names the job.
    const own = hit.kind === "job" ? [] : [job.reference_number, `job ${job.id}`];
    return [date, job.state, job.truck_name, ...own].filter(Boolean).join(" · ");
  };
  const facts: [string, string | null][] = [
    ["Customer", hit.customer_name],
    ["Address", hit.address],
    ["Call", [hit.contact_name, showPhone(hit.contact_number ?? "")].filter(Boolean).join(", ") || null],
    ["Absence", toOff(hit, drawing)],
    ["Note", hit.note?.replaceAll("\n", " · ") ?? null],
    ["Found by", isPlain(hit) ? null : `${hit.matched.replaceAll("_", " ")} ${hit.matched_text}`],
    ["Last", toJob(hit.last_job)],
    [hit.kind === "job" ? "When" : "Next", toJob(hit.next_job)],
  ];
  return [
    `${paint.bold(nameHit(hit))}${hit.is_active || hit.kind === "job" ? "" : "  inactive"}`,
    ...facts
      .filter((fact) => fact[1] !== null)
      .map(([label, text]) => cutText(`  ${label.padEnd(9)}${toVisible(text ?? "")}`, screen.columns)),
  ];
}

/** Whether the shown fields explain the match. */
function isPlain({ address, contact_name, contact_number, matched, matched_text, name }: FoundHit): boolean {
  return matched === "id" || [address, contact_name, contact_number, name].includes(matched_text);
}

async function toNextWords(client: Client, hit: FoundHit, options: OptionValues): Promise<string[]> {
  const nameAs = (field: string) => toName(client, field, hit, {});
  switch (hit.kind) {
    case "customer":
      return [...(await toJobWords(client, hit, options)), "--type", "drop-off"];
    case "job":
      return ["jobs", "get", await nameAs("job_id")];
    case "driver":
      return ["drivers", "get", await nameAs("driver_id")];
    case "truck":
      return ["day", "print", "--truck", await nameAs("truck_id"), "--out", `${toFileName(hit.name)}.pdf`];
  }
}

function toFileName(name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["truck"];
  return words.join("-");
}
