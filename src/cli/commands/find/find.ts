import { Command } from "commander";
import { DispatchError, exitCodes, failure } from "../../../errors/errors.ts";
import { foundKinds, hitsByDefault, hitsMax } from "../../../models/search.ts";
import { type AnswerNamed, createClient } from "../../../operations/client.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import { type CliContext, isInteractive, type OptionValues } from "../../context.ts";
import { parseId } from "../../input/parse-id.ts";
import { readLocation } from "../../names/read-location.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { openScreen } from "../../output/screen.ts";
import { toScreenOptions } from "../../output/show.ts";
import { showFacts } from "../../output/show-facts.ts";
import type { Program } from "../../program.ts";
import { readSettings, type Settings } from "../../settings.ts";
import { openTarget, type Target } from "../../target/target.ts";
import { readZones } from "../../target/zones.ts";
import { drawFound, nameHit } from "./draw-found.ts";
import { toJobWords } from "./job-words.ts";
import { toNextWords } from "./next-words.ts";

type Answer = AnswerNamed<"search.find">;

/** Finds records by what people call them; on a terminal one key makes a job for the customer that was found. */
export function findCommand(context: CliContext, program: Program): Command {
  const command = new Command("find")
    .description("Find customers, jobs, trucks and drivers by what people call them.")
    .argument("<words...>", "a name, phone number, contact, address or reference number, or parts of them")
    .option("--kind <kind>", `only records of this kind: ${foundKinds.join(", ")}`)
    .option("--location <name>", "only what belongs to this location, by id or name")
    .option("--active", "only what is in use")
    .option("--limit <count>", `how many at most, to ${hitsMax}; by default ${hitsByDefault}`);
  addFormOption(addTargetOptions(command))
    .option("--no-input", "do not offer to make a job")
    .option("--no-color", "show no colours (NO_COLOR)")
    .addHelpText("after", notes);
  return command.action(async (words: readonly string[]) => {
    const options = command.opts();
    const settings = readSettings(context, options);
    const target = await openTarget(context, settings);
    let next: string[] | null;
    try {
      const locationId = await readLocation(context, settings, target, options);
      const answer = await ask(target, words.join(" "), options, locationId);
      await show(context, settings, target, words.join(" "), answer, options);
      next = await offerJob(context, settings, target, answer, options);
    } finally {
      await target.caller.close();
    }
    if (next === null) return;
    const code = await program.run(next, context);
    if (code !== exitCodes.done) throw new AlreadyShown(code);
  });
}

function ask(
  { caller }: Target,
  q: string,
  { active, kind, limit }: OptionValues,
  locationId: number | null,
): Promise<Answer> {
  const isKnown = kind === undefined || foundKinds.some((known) => known === kind);
  if (!isKnown) throw failure("usage", `--kind is one of ${foundKinds.join(", ")}.`);
  const query = {
    q,
    active: active === true ? true : null,
    kind: kind === undefined ? null : String(kind),
    limit: limit === undefined ? null : parseId(limit, "--limit"),
    location_id: locationId,
  };
  return createClient(caller).call("search.find", { query });
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
    const detail = `Nothing is called ${JSON.stringify(words)}.${nearest === "" ? "" : ` Nearest: ${nearest}.`}`;
    throw new DispatchError([{ code: "record_not_found", detail, field: null, fix: notFoundFix }]);
  }
  if (settings.form !== "table") {
    showFacts(context, settings, answer, []);
    return;
  }
  const zones = await readZones(target, settings.isUtc);
  const screen = await openScreen(toScreenOptions(context, settings));
  const [best] = answer.results;
  const next = best ? await toNextWords(target.caller, best, options) : null;
  const drawing = { next, now: target.clock.now(), screen, zones };
  showFacts(context, settings, answer, { drawn: drawFound(answer.results, drawing) });
}

const nearestMax = 3;

const notFoundFix = "Try fewer words or a part of one; `dispatch-cli customers create` makes a new customer.";

/** The command line that makes a job for the best hit, once a person asks for it with one key. */
async function offerJob(
  context: CliContext,
  settings: Settings,
  { caller }: Target,
  { results }: Answer,
  options: OptionValues,
): Promise<string[] | null> {
  const [best] = results;
  const isAsked = settings.form === "table" && context.stdout.isTTY && isInteractive(context);
  if (!isAsked || best?.kind !== "customer") return null;
  const { askKey } = await import("./ask-key.ts");
  const key = await askKey(context, `j makes a job for ${best.name}, any other key ends`);
  return key === "j" ? toJobWords(caller, best, options) : null;
}

const notes = `
The best come first: what is called so, then what begins so, has it as a part, and
what is like it. A phone number is found by its digits, whatever stands between them.

Examples:
  dispatch-cli find potomac
  dispatch-cli find 555 0100
  dispatch-cli find 1745 t street
  dispatch-cli find PO-16229 --kind job`;
