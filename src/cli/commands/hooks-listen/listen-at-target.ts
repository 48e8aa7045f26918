import { existsSync } from "node:fs";
import { exitCodes, failure } from "../../../errors/errors.ts";
import { defaultVersion } from "../../../models/api-versions.ts";
import { programVersion } from "../../../runtime/program-version.ts";
import { isPostgresAddress } from "../../../store/postgres/address.ts";
import type { CliContext } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { tell, tellJson } from "../../output/tell.ts";
import { namedVersion, type Settings } from "../../settings.ts";
import { openChanges } from "../../target/changes.ts";
import { storeOf, type Target } from "../../target/target.ts";
import { type EventLog, type ListedEvent, openEventLog, toPatientLog } from "./event-log.ts";
import { type Forwarded, type Forwarding, forwardEvent } from "./forward.ts";
import { type Listening, listen } from "./listen.ts";
import type { ListeningOptions } from "./listening-options.ts";
import { findStart, type Start, tellStart } from "./start.ts";

/**
 * Ends after the expected events, a timeout, or an interrupt. Throws AlreadyShown (exit code 9) for a missing event.
 */
export async function listenAtTarget(
  context: CliContext,
  settings: Settings,
  target: Target,
  options: ListeningOptions,
): Promise<void> {
  const version = namedVersion(settings) ?? defaultVersion;
  const events = openEventLog(target.client, version);
  const start = await findStart(target, events, options);
  options.cursorFile?.write(start);
  tellStart(context, target, options, start);
  const { createSender } = await import("../../../webhooks/send.ts");
  const sender = createSender({ allowPrivateAddresses: true, userAgent: `dispatch-cli/${programVersion}` });
  const end = createEnd(context, options.forMs, () => void sender.close());
  const sending = { ...end, sender, secret: start.secret, tenantId: target.tenant.id, version };
  const handler = createHandler(context, settings, options, sending);
  const tellTrouble = (line: string) => tell(context.stderr, line);
  const patient = toPatientLog(events, { ...end, retryMs: options.retryMs, tell: tellTrouble });
  const changes = openChanges(target, { blindMs: 300, restMs });
  let left = 0;
  try {
    left = await listen({
      ...end,
      wait: () => Promise.race([changes.wait(), end.wait(restMs)]),
      ...options,
      ...toKeeping(options, start),
      log: watchTarget(settings, target, patient, () => options.cursorFile?.requireOwn(start.owner)),
      isWanted: ({ action, type }) =>
        options.wanted.some((wanted) => wanted === type || wanted === `${type}:${action}`),
      onForgotten: () => tellTrouble("The last received event is no longer kept; all kept events come now."),
      handle: handler.handle,
    });
  } finally {
    changes.end();
    end.stop();
    await sender.close();
    tellNotForwarded(context, options, handler.lost(), left);
  }
  tellOutcome(context, options, handler.lost());
}

/** Reads without events detect another listener with this name. */
const restMs = 2_000;

/** Stores the cursor while this listener owns the name. */
function toKeeping({ cursorFile, expects }: ListeningOptions, start: Start) {
  return {
    after: start.after,
    endsWhenMet: expects,
    keep(after) {
      cursorFile?.requireOwn(start.owner);
      cursorFile?.write({ ...start, after });
    },
  } satisfies Partial<Listening>;
}

const toNext = (ms: number | null) => (ms === null ? "Not tried again." : `Again in ${ms / 1000} s.`);

function createHandler(
  context: CliContext,
  settings: Settings,
  { faults, forwardTo: url, verbose }: ListeningOptions,
  sending: Omit<Forwarding, "faults" | "onFailed" | "random" | "url">,
) {
  let lost = 0;
  const handle: Listening["handle"] = async (event) => {
    const { action, record_id, type } = event;
    const onFailed: Forwarding["onFailed"] = ({ attempt, message, nextInMs }) =>
      tell(
        context.stderr,
        `${type} ${record_id} ${action}: attempt ${attempt} failed: ${message} ${toNext(nextInMs)}`,
      );
    const forwarding = { ...sending, faults, onFailed, random: Math.random };
    const forwarded = url === null ? null : await forwardEvent(event, { ...forwarding, url });
    const isTaken = forwarded?.isSuccess !== false;
    if (!isTaken && sending.hasEnded()) return { isDone: false, isTaken };
    if (!isTaken) lost += 1;
    showEvent(context, settings, event, forwarded, verbose);
    return { isDone: true, isTaken };
  };
  return { handle, lost: () => lost };
}

/**
 * Checks before each read that this listener owns the name, and that the file exists: a removed file stays readable.
 */
function watchTarget(settings: Settings, target: Target, log: EventLog, requireOwn: () => void): EventLog {
  const data = target.store ? storeOf(settings).value : null;
  const file = data === null || isPostgresAddress(data) ? null : data;
  return {
    ...log,
    next(after) {
      requireOwn();
      if (file !== null && !existsSync(file))
        throw failure("store_unavailable", `The store ${file} is gone.`);
      return log.next(after);
    },
  };
}

/** Events that were given up, or left at the end. */
function tellNotForwarded(
  { stderr }: CliContext,
  { cursorFile, forwardTo }: ListeningOptions,
  lost: number,
  left: number,
): void {
  const count = lost + left;
  if (count === 0 || forwardTo === null) return;
  const again = left > 0 && cursorFile !== null ? ` ${left} will come with the same --name.` : "";
  tell(stderr, `${count} ${count === 1 ? "event was" : "events were"} not forwarded.${again}`);
}

/** Exit code 9: an expected event is missing, or an event was given up. */
function tellOutcome({ stderr }: CliContext, { expectations }: ListeningOptions, lost: number): void {
  const open = expectations.open();
  if (open.length > 0) tell(stderr, `Missing or not accepted: ${open.join(", ")}.`);
  else if (lost === 0) return;
  throw new AlreadyShown(exitCodes.answerIsNo);
}

interface End {
  hasEnded(): boolean;
  /** Does not call back. Running requests finish. */
  finish(): void;
  stop(): void;
  wait(ms: number): Promise<void>;
}

/** Calls back after `forMs` (null: never) or an interrupt. */
function createEnd(context: CliContext, forMs: number | null, onEnd: () => void): End {
  let isOver = false;
  let finish = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = () => {
      isOver = true;
      resolve();
    };
  });
  const end = () => {
    onEnd();
    finish();
  };
  context.onInterrupt(end);
  // A longer timer would fire at once.
  const timer = forMs === null ? null : setTimeout(end, Math.min(forMs, 2 ** 31 - 1));
  return {
    hasEnded: () => isOver,
    finish: () => finish(),
    stop() {
      if (timer) clearTimeout(timer);
    },
    async wait(ms) {
      let waiting: NodeJS.Timeout | undefined;
      const passed = new Promise<void>((resolve) => {
        waiting = setTimeout(resolve, ms);
      });
      await Promise.race([passed, ended]);
      clearTimeout(waiting);
    },
  };
}

/** One line, or JSON. `verbose` adds headers and body. */
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
    tellJson(stdout, shown);
    return;
  }
  const outcome = forwarded ? `  ${toOutcome(forwarded)}` : "";
  tell(stdout, `${created_on.slice(0, 19)}  ${type} ${record_id} ${action}${outcome}`);
  if (!verbose) return;
  for (const [name, value] of Object.entries(forwarded?.request.headers ?? {}))
    tell(stdout, `  ${name}: ${value}`);
  tell(stdout, `  ${forwarded?.request.body ?? JSON.stringify(data)}`);
}

function toOutcome({ attempts, durationMs, isDuplicated, isSuccess, message, status }: Forwarded): string {
  const tries = attempts === 1 ? "" : `, attempt ${attempts}`;
  const twice = isDuplicated ? ", sent twice" : "";
  return isSuccess
    ? `${status} in ${durationMs} ms${tries}${twice}`
    : `given up after ${attempts}: ${message}`;
}
