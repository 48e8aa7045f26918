import { Command } from "commander";
import { DispatchError, errorKind, exitCodes } from "../../../errors/errors.ts";
import { type AnswerNamed, createClient } from "../../../operations/client.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { watchInterruption } from "../../outcome/interruption.ts";
import { tell, tellJson } from "../../output/tell.ts";
import { readSettings, type Settings } from "../../settings.ts";
import { openTarget } from "../../target/target.ts";

const betweenLooksMs = 500;

/** Follows the requests that a server answers to a tenant, until it is interrupted. */
export function requestsTailCommand(context: CliContext): Command {
  const command = new Command("tail")
    .description(
      "Follow the requests that a server answers to the tenant: method, path, status, duration, version and token, for its Admins. It begins with the last that are known.",
    )
    .option("--method <method>", "only this one")
    .option("--path <text>", "only paths that contain it")
    .option("--status <status>", "only this one; or 2xx, 4xx, 5xx")
    .option("--token-id <id>", "only requests with this token")
    .option("--no-follow", "show the last that are known, and end");
  addFormOption(addTargetOptions(command)).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli requests tail --status 4xx -o ndjson",
  );
  return command.action(async () => {
    const { follow, method, path, status, tokenId } = command.opts();
    const settings = readSettings(context, command.opts());
    const target = await openTarget(context, settings);
    const client = createClient(target.caller);
    const filters = { method, path, status, token_id: tokenId };
    const read = (after: string | null) =>
      client.call("requests.tail", { query: { ...filters, after } as typeof filters });
    try {
      await tailRequests(context, settings, read, follow !== false);
    } finally {
      await target.caller.close();
    }
  });
}

type Page = AnswerNamed<"requests.tail">;

async function tailRequests(
  context: CliContext,
  settings: Settings,
  read: (after: string | null) => Promise<Page>,
  follows: boolean,
): Promise<void> {
  const interruption = watchInterruption(context);
  let page = await interruption.during(read(null));
  let isAway = false;
  for (;;) {
    for (const request of page.results) showRequest(context, settings, request);
    if (page.missed > 0) tell(context.stderr, `${page.missed} requests are not known any more.`);
    if (!follows) return;
    await interruption.wait(betweenLooksMs);
    try {
      page = await interruption.during(read(page.cursor));
      if (isAway) tell(context.stderr, "The server is back.");
      isAway = false;
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (!isAway) tell(context.stderr, `${error.message} Looking again until it is back.`);
      isAway = true;
      page = { ...page, missed: 0, results: [] };
    }
  }
}

/** Whether the next look may succeed. */
function isPassing(error: unknown): error is DispatchError {
  if (!(error instanceof DispatchError)) return false;
  const { exitCode } = errorKind(error.code);
  return exitCode === exitCodes.unreachable || exitCode === exitCodes.limited;
}

function showRequest({ stdout }: CliContext, { form }: Settings, request: Page["results"][number]): void {
  if (form !== "table") {
    tellJson(stdout, request);
    return;
  }
  const { answered_on, duration_ms, method, path, status, token_name, version } = request;
  const shownStatus = status < 0 ? "gone" : String(status);
  tell(
    stdout,
    `${answered_on.slice(11, 23)}  ${shownStatus.padEnd(4)}  ${method.padEnd(6)} ${path}  ${duration_ms} ms  ${version}${token_name === null ? "" : `  ${token_name}`}`,
  );
}
