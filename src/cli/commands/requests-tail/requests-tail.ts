import type { Command } from "commander";
import type { AnswerNamed } from "../../../client/client.ts";
import { failure } from "../../../errors/errors.ts";
import { toEpochMs } from "../../../runtime/clock.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import { type CliContext, showsColor, sizeOf } from "../../context.ts";
import { isPassing } from "../../outcome/exit-code-of.ts";
import { watchInterruption } from "../../outcome/interruption.ts";
import { createRequestLines } from "../../output/readable-log.ts";
import { loadPaint } from "../../output/screen.ts";
import { showFacts, tell } from "../../output/tell.ts";
import type { Settings } from "../../settings.ts";
import type { Target } from "../../target/target.ts";
import { useTarget } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";

const betweenLooksMs = 500;

const columnsElsewhere = 160;

export function requestsTailCommand(context: CliContext): Command {
  const command = defineBuiltin("tail", "read")
    .description(
      "Follow a server's requests for the tenant, as an Admin: method, path, status, duration, version, and token. Starts with recent requests and excludes its own.",
    )
    .option("--method <method>", "only this HTTP method")
    .option("--path <text>", "only paths that contain this text")
    .option("--status <status>", "only this status, or 2xx, 4xx, 5xx")
    .option("--text <text>", "only requests with this text in the path or the recorded query and bodies")
    .option("--token-id <id>", "only requests with this token")
    .option("--no-follow", "show recent requests and end");
  addFormOption(addTargetOptions(command)).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli requests tail --status 4xx -o ndjson",
  );
  return command.action(() => {
    const { follow, method, path, status, text, tokenId } = command.opts();
    const filters = { method: method?.toUpperCase(), path, status, text, token_id: tokenId };
    const tail = async ({ client }: Target, settings: Settings) => {
      const read = (after: string | null) =>
        client.call("requests.tail", { query: { ...filters, after } as typeof filters });
      const show = await toShow(context, settings);
      await tailRequests(context, { follows: follow !== false, read, show });
    };
    return useTarget(context, command.opts(), tail, { hasPatience: true, takesTurns: true });
  });
}

type Page = AnswerNamed<"requests.tail">;
type AnsweredRequest = Page["results"][number];

interface Tail {
  follows: boolean;
  read(after: string | null): Promise<Page>;
  show(request: AnsweredRequest): void;
}

async function tailRequests(context: CliContext, { follows, read, show }: Tail): Promise<void> {
  const interruption = watchInterruption(context);
  let page = await interruption.during(read(null));
  let isAway = false;
  for (;;) {
    page.results.forEach(show);
    if (page.missed > 0) tell(context.stderr, `${page.missed} requests are no longer available.`);
    if (!follows) return;
    await interruption.wait(betweenLooksMs);
    try {
      page = await interruption.during(read(page.cursor));
      if (isAway) tell(context.stderr, "The server is back.");
      isAway = false;
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (!isAway) tell(context.stderr, `${error.message} Retrying.`);
      isAway = true;
      page = { ...page, missed: 0, results: [] };
    }
  }
}

/** One line per request, because the list has no end. */
async function toShow(context: CliContext, settings: Settings): Promise<Tail["show"]> {
  const { env, stdout } = context;
  const { form, isUtc, noColor } = settings;
  if (form !== "ndjson" && form !== "table")
    throw failure("usage", `\`requests tail\` needs -o table or ndjson, not ${form}.`);
  const toLine = createRequestLines({
    columns: () => (stdout.isTTY ? sizeOf(stdout).columns : columnsElsewhere),
    isUtc,
    paint: await loadPaint(showsColor(stdout, env, noColor)),
  });
  return (request) => {
    const { answered_on, duration_ms, method, path, status, token_id, token_name, version } = request;
    const time = toEpochMs(answered_on);
    const token = token_name ?? (token_id === null ? null : `token ${token_id}`);
    const facts = { duration_ms, method, path, status, token_name: token, version };
    showFacts(context, settings, request, { drawn: [toLine({ ...facts, time })] });
  };
}
