import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { Command } from "commander";
import { exitCodes, failure } from "../../../errors/errors.ts";
import { defaultVersion } from "../../../models/api-versions.ts";
import { findUrlProblem } from "../../../models/http-url.ts";
import { programVersion } from "../../../runtime/program-version.ts";
import { isPostgresAddress } from "../../../store/postgres/address.ts";
import { makeSecret } from "../../../webhooks/sign.ts";
import { addFormOption, addTargetOptions, versionOption } from "../../common-options.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { parseDuration } from "../../input/duration.ts";
import { readSecret } from "../../input/read-secret.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { namedVersion, readSettings, type Settings } from "../../settings.ts";
import { openTarget, storeOf, type Target } from "../../target/target.ts";
import { type CursorFile, openCursorFile, toTargetKey } from "./cursor.ts";
import { type EventLog, type ListedEvent, openEventLog } from "./event-log.ts";
import { parseEvents, parseExpectations } from "./expectations.ts";
import { parseFaults } from "./faults.ts";
import { type Forwarded, forwardEvent } from "./forward.ts";
import { listen } from "./listen.ts";
import { toPatientLog } from "./patient-log.ts";

/** Shows events as they come, and forwards them, signed, to a receiver: a webhook that needs no tunnel. */
export function hooksListenCommand(context: CliContext): Command {
  const command = new Command("listen")
    .description(
      "Show events as they come and forward them, signed like a webhook's deliveries, to a receiver of yours. Nothing is stored at the target. An event that is not taken is tried six times in about 18 s.",
    )
    .option(
      "--events <kinds>",
      "Customer, CustomerLocation, Job, Truck, Ping, by commas; by default all but Ping",
    )
    .option("--forward-to <url>", "send each event there")
    .option(
      "--secret-file <file>",
      "file that holds the secret to sign with; by default one is made and shown",
    )
    .option("--name <name>", "keep by this name how far it came: what happens while it is off comes then")
    .option("--from-start", "begin with the oldest event that is kept instead of the next")
    .option("--for <duration>", "end after this time, like 90s or 5m")
    .option("--expect <event>", "end once this came and was taken, like Job:completed; repeatable", collect)
    .option("--retry-for <duration>", "go on trying when the target is away", "30s")
    .option("--inject <faults>", "go wrong on purpose: slow=2s,fail=20%,duplicate=5%,reorder")
    .option("-v, --verbose", "show headers and body too")
    .addOption(versionOption("version of the bodies (default 2019/02/08)"));
  addFormOption(addTargetOptions(command)).addHelpText("after", notes);
  return command.action(async () => {
    const options = command.opts();
    const settings = readSettings(context, options);
    const asked = await parseAsked(context, options);
    const target = await openTarget(context, settings);
    try {
      await listenAt(context, settings, target, asked);
    } finally {
      await target.caller.close();
    }
  });
}

const notes = `
With --expect the exit code is 0 when all came, 9 when --for ended before. It is 8
when the target goes away and stays away. With --name an event may come twice after
a crash, never not at all; a listener that begins with the name of one that runs
takes over, and the other ends with 6.

Example:
  dispatch-cli hooks listen --events Job --forward-to http://localhost:3000/hook --for 5m`;

const collect = (text: string, texts: readonly string[] | undefined) => [...(texts ?? []), text];

type Asked = Awaited<ReturnType<typeof parseAsked>>;

async function parseAsked(context: CliContext, options: OptionValues) {
  const {
    events,
    expect = [],
    forwardTo,
    inject,
    name,
    retryFor = "30s",
    secretFile,
  } = options as {
    events?: string;
    expect?: string[];
    forwardTo?: string;
    inject?: string;
    name?: string;
    retryFor?: string;
    secretFile?: string;
  };
  const kinds = parseEvents(events);
  const problem = forwardTo === undefined ? null : findUrlProblem(forwardTo);
  if (problem !== null) throw failure("usage", `--forward-to ${problem}.`);
  if (forwardTo === undefined && (inject !== undefined || secretFile !== undefined))
    throw failure(
      "usage",
      "--inject and --secret-file are for what is sent: name a receiver with --forward-to.",
    );
  return {
    kinds,
    expectations: parseExpectations(expect, kinds),
    expects: expect.length > 0,
    faults: parseFaults(inject),
    forMs: options.for === undefined ? null : parseDuration(String(options.for), "--for"),
    forwardTo: forwardTo ?? null,
    fromStart: options.fromStart === true,
    cursorFile: name === undefined ? null : openCursorFile(context, name),
    retryMs: parseDuration(retryFor, "--retry-for"),
    secret: secretFile === undefined ? null : (await readSecret(context, secretFile)).text.trim(),
    verbose: options.verbose === true,
  };
}

/** Listens until it is met, over or interrupted, and says so with the exit code. */
async function listenAt(
  context: CliContext,
  settings: Settings,
  target: Target,
  asked: Asked,
): Promise<void> {
  const version = namedVersion(settings) ?? defaultVersion;
  const events = openEventLog(target.caller, version);
  const start = await findStart(target, events, asked);
  asked.cursorFile?.write(start);
  tellStart(context, target, asked, start);
  const { createSender } = await import("../../../webhooks/send.ts");
  const sender = createSender({ allowPrivateAddresses: true, userAgent: `dispatch-cli/${programVersion}` });
  const end = createEnd(context, asked.forMs, () => void sender.close());
  const { cursorFile, faults, forwardTo: url, retryMs } = asked;
  const tell = (text: string) => void context.stderr.write(`${text}\n`);
  const patient = toPatientLog(events, { ...end, retryMs, tell });
  const log = watchTarget(settings, target, patient, () => cursorFile?.requireOwn(start.owner));
  const forwarding = {
    ...end,
    faults,
    random: Math.random,
    secret: start.secret,
    sender,
    tenantId: target.tenant.id,
    version,
  };
  let lost = 0;
  try {
    await listen({
      ...end,
      ...asked,
      after: start.after,
      endsWhenMet: asked.expects,
      keep(after) {
        cursorFile?.requireOwn(start.owner);
        cursorFile?.write({ ...start, after });
      },
      log,
      isWanted: ({ type }) => asked.kinds.includes(type),
      onForgotten: () =>
        void context.stderr.write(
          "The last event that came is no longer kept; all that are kept come now.\n",
        ),
      async handle(event) {
        const forwarded = url === null ? null : await forwardEvent(event, { ...forwarding, url });
        const isTaken = forwarded?.isSuccess !== false;
        if (!isTaken && end.hasEnded()) return { isDone: false, isTaken };
        if (!isTaken) lost += 1;
        showEvent(context, settings, event, forwarded, asked.verbose);
        return { isDone: true, isTaken };
      },
    });
  } finally {
    end.stop();
    await sender.close();
  }
  if (lost > 0) context.stderr.write(`${lost} ${lost === 1 ? "event was" : "events were"} not taken.\n`);
  const open = asked.expectations.open();
  if (open.length === 0) return;
  context.stderr.write(`Did not come, or was not taken: ${open.join(", ")}.\n`);
  throw new AlreadyShown(exitCodes.answerIsNo);
}

/** Before each look: whether it is to go on, and whether the store's file is there, which could be read on when removed. */
function watchTarget(settings: Settings, target: Target, log: EventLog, requireOwn: () => void): EventLog {
  const data = storeOf(settings).value;
  const isFile = target.kind === "store" && !isPostgresAddress(data);
  return {
    ...log,
    next(after) {
      requireOwn();
      if (isFile && !existsSync(data)) throw failure("store_unavailable", `The store ${data} is gone.`);
      return log.next(after);
    },
  };
}

/** Where it begins, and what it signs with: by name what was kept, else from now on. */
async function findStart(target: Target, log: EventLog, { cursorFile, fromStart, secret }: Asked) {
  const key = toTargetKey(target.name, target.kind === "store");
  const known = cursorFile?.read() ?? null;
  if (known && (known.target !== key || known.tenant !== target.tenant.id))
    throw toForeignCursor(known, cursorFile);
  const isNew = known === null;
  const after = fromStart ? null : isNew ? await log.findEnd() : known.after;
  return {
    after,
    owner: randomUUID(),
    secret: secret ?? known?.secret ?? makeSecret((count) => randomBytes(count)),
    target: key,
    tenant: target.tenant.id,
  };
}

function toForeignCursor({ target, tenant }: { target: string; tenant: number }, file: CursorFile | null) {
  const detail = `This --name belongs to ${target}, tenant ${tenant}; take another, or remove ${file?.file}.`;
  return failure("usage", detail);
}

function tellStart(context: CliContext, target: Target, asked: Asked, { secret }: { secret: string }): void {
  const where = `${target.name}, tenant ${target.tenant.id} (${target.tenant.name})`;
  context.stderr.write(`Listening for ${asked.kinds.join(", ")} of ${where}.\n`);
  if (asked.forwardTo === null) return;
  context.stderr.write(`Forwarding to ${asked.forwardTo}\n`);
  if (asked.secret === null) context.stderr.write(`Signed with the secret ${secret}\n`);
}

/** Ends by time or interruption; `wait` is cut short by it. */
function createEnd(context: CliContext, forMs: number | null, onEnd: () => void) {
  let isOver = false;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = () => {
      isOver = true;
      onEnd();
      resolve();
    };
  });
  context.onInterrupt(end);
  // A longer one would end at once.
  const timer = forMs === null ? null : setTimeout(end, Math.min(forMs, 2 ** 31 - 1));
  return {
    hasEnded: () => isOver,
    stop: () => timer && clearTimeout(timer),
    async wait(ms: number) {
      let waiting: NodeJS.Timeout | undefined;
      const passed = new Promise<void>((resolve) => {
        waiting = setTimeout(resolve, ms);
      });
      await Promise.race([passed, ended]);
      clearTimeout(waiting);
    },
  };
}

/** One line an event, for programs as JSON. */
function showEvent(
  { stdout }: CliContext,
  { form }: Settings,
  event: ListedEvent,
  forwarded: Forwarded | null,
  verbose: boolean,
): void {
  const { action, created_on, data, id, record_id, type } = event;
  if (form !== "table") {
    const sent = forwarded && {
      attempts: forwarded.attempts,
      duration_ms: forwarded.durationMs,
      http_status: forwarded.status,
      message: forwarded.message,
    };
    const shown = { action, created_on, id, record_id, type, ...sent, ...(verbose && { data }) };
    stdout.write(`${JSON.stringify(shown)}\n`);
    return;
  }
  stdout.write(
    `${created_on.slice(0, 19)}  ${type} ${record_id} ${action}${forwarded ? `  ${toText(forwarded)}` : ""}\n`,
  );
  if (!verbose) return;
  for (const [name, value] of Object.entries(forwarded?.request.headers ?? {}))
    stdout.write(`  ${name}: ${value}\n`);
  stdout.write(`  ${forwarded?.request.body ?? JSON.stringify(data)}\n`);
}

function toText({ attempts, durationMs, isDuplicated, isSuccess, message, status }: Forwarded): string {
  const tries = attempts === 1 ? "" : `, attempt ${attempts}`;
  const twice = isDuplicated ? ", sent twice" : "";
  return isSuccess
    ? `${status} in ${durationMs} ms${tries}${twice}`
    : `given up after ${attempts}: ${message}`;
}
