import { join } from "node:path";
import { DispatchError, failure } from "../../../errors/errors.ts";
import { readEpochMs, systemClock, toEpochMs, toTimestamp } from "../../../runtime/clock.ts";
import { readRecord } from "../../../store/backups/backup-record.ts";
import { BackupSchedule } from "../../../store/backups/backup-schedule.ts";
import {
  type BackupFolder,
  backupToFolder,
  type FolderReport,
} from "../../../store/backups/backup-to-folder.ts";
import { toShownStore } from "../../../store/postgres/address.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { runLongWork } from "../../outcome/long-work.ts";
import { say, showFacts, tell, tellJson } from "../../output/tell.ts";
import type { Settings } from "../../settings.ts";
import { type BackedUp, toSentence } from "./describe-backup.ts";

const keepDefault = 24;

export async function backupIntoFolder(
  context: CliContext,
  settings: Settings,
  store: BackedUp,
  { to, keep = keepDefault, every }: OptionValues,
): Promise<void> {
  const place = {
    folder: String(to),
    keep: Number(keep),
    everySeconds: every === undefined ? null : Number(every) / 1000,
  };
  if (every !== undefined) return backupEvery(context, settings, store, place, Number(every));
  const report = await runLongWork(context, (progress) =>
    backupToFolder({ ...store, now: systemClock.now(), progress }, place),
  );
  if (report === null)
    throw failure(
      "state_conflict",
      `Another program is making a backup in ${place.folder}. Nothing was done.`,
    );
  showFacts(context, settings, toFolderFacts(store, place, report), toLines(store, place, report));
}

/** The longest wait before checking the clock, because the machine may have slept. */
const lookMs = 15_000;

async function backupEvery(
  context: CliContext,
  settings: Settings,
  store: BackedUp,
  place: BackupFolder,
  everyMs: number,
): Promise<void> {
  const end = watchEnd(context);
  const schedule = new BackupSchedule(everyMs, {
    wallMs: readEpochMs,
    steadyMs: () => performance.now(),
  });
  const toll = createToll(context, settings);
  toll.begun(
    `Backing up ${toShownStore(store.data)} to ${place.folder} every ${everyMs / 1000} s, keeping ${place.keep}.`,
  );
  let hasTried = false;
  while (!end.isAsked()) {
    const newest = readRecord(place.folder)?.backups.at(-1)?.created_on ?? null;
    const waitMs = schedule.dueInMs(newest);
    if (waitMs > 0) {
      await end.wait(Math.min(waitMs, lookMs));
      continue;
    }
    const isFirst = !hasTried;
    hasTried = true;
    try {
      const request = { ...store, now: systemClock.now(), progress: end.requireNone };
      const report = await backupToFolder(request, place);
      // Another process has locked the folder. Its backup counts.
      if (report === null) await end.wait(Math.min(1000, everyMs));
      else toll.made(toLogged(report), toLines(store, place, report));
      schedule.noteSuccess();
    } catch (error) {
      if (end.isAsked()) break;
      // A wrong command cannot recover. A missing disk may come back.
      if (isFirst && error instanceof DispatchError && error.code === "usage") throw error;
      schedule.noteFailure();
      toll.failed(error, schedule.dueInMs(newest));
    }
  }
  toll.begun("Stopped. An unfinished backup left no file.");
}

function watchEnd(context: CliContext) {
  let isAsked = false;
  let leave = () => {};
  context.onInterrupt(() => {
    isAsked = true;
    leave();
  });
  return {
    isAsked: () => isAsked,
    requireNone() {
      if (isAsked) throw new Error("Interrupted.");
    },
    wait: (ms: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        leave = () => {
          clearTimeout(timer);
          resolve();
        };
        if (isAsked) leave();
      }),
  };
}

function createToll({ stdout, stderr }: CliContext, { form }: Pick<Settings, "form">) {
  const isForPeople = form === "table";
  const toLog = (level: string, msg: string, facts: object) =>
    tellJson(stdout, { time: systemClock.now(), level, msg, ...facts });
  return {
    begun(sentence: string) {
      if (isForPeople) tell(stderr, sentence);
      else toLog("info", sentence, {});
    },
    made(facts: object, lines: readonly string[]) {
      if (!isForPeople) return toLog("info", "backup made", facts);
      for (const line of lines) say(stdout, `${toShownTime(systemClock.now())} ${line}`);
    },
    failed(error: unknown, againInMs: number) {
      const { code, message } =
        error instanceof DispatchError ? error : { code: "unexpected", message: String(error) };
      const now = systemClock.now();
      const againOn = toTimestamp(toEpochMs(now) + againInMs);
      if (!isForPeople) return toLog("error", "backup failed", { code, detail: message, again_on: againOn });
      tell(stderr, `${toShownTime(now)} The backup failed: ${message} Next try at ${toShownTime(againOn)}.`);
    },
  };
}

const toShownTime = (time: string) => `${time.slice(0, 19)}Z`;

function toFolderFacts({ data }: BackedUp, { folder }: BackupFolder, { made, removed }: FolderReport) {
  return { ...made, file: join(folder, made.file), removed, store: toShownStore(data), verified: true };
}

function toLogged({ made: { bytes, created_on, file, packed_bytes, verified_on }, removed }: FolderReport) {
  return { file, created_on, verified_on, bytes, packed_bytes, removed };
}

function toLines(store: BackedUp, { folder, keep }: BackupFolder, { made, removed }: FolderReport): string[] {
  const sentence = toSentence(store, join(folder, made.file), made);
  if (removed.length === 0) return [sentence];
  return [`${sentence} Deleted old backups beyond ${keep}: ${removed.join(", ")}.`];
}
