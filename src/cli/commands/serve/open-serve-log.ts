import { toLogLine } from "../../../runtime/log-line.ts";
import { type CliContext, type OptionValues, type Screen, showsColor, sizeOf } from "../../context.ts";
import { toLossRecord, toLossSentence } from "../../output/readable-log.ts";
import { tellJson } from "../../output/tell.ts";
import type { Settings } from "../../settings.ts";

export interface ServeLog {
  write(line: string): void;
  lostLines?(): number;
  isText: boolean;
  note(sentence: string): void;
  /** Hides refused connections of this webhook. */
  quiet(hookId: number | null): void;
}

const columnsElsewhere = 160;

/** Text on a terminal or on request, else JSON. */
export async function openServeLog(
  context: CliContext,
  { isUtc, noColor }: Pick<Settings, "isUtc" | "noColor">,
  { logFormat }: OptionValues,
): Promise<ServeLog> {
  const { stderr } = context;
  const isText = logFormat === "text";
  const log = await context.openLog(isText ? toLossSentence : toLossRecord);
  if (!isText)
    return {
      isText,
      note: (sentence) => logNote(log, sentence),
      quiet: () => undefined,
      write: log.write,
      lostLines: log.lostLines,
    };
  const [{ toReadableLog }, { loadPaint }] = await Promise.all([
    import("../../output/readable-log.ts"),
    import("../../output/screen.ts"),
  ]);
  let quietHook: number | null = null;
  const readable = toReadableLog(log, {
    columns: () => (stderr.isTTY ? sizeOf(stderr).columns : columnsElsewhere),
    isUtc,
    paint: await loadPaint(showsColor(stderr, context.env, noColor)),
    quietHook: () => quietHook,
  });
  return {
    isText,
    note: (sentence) => logNote(readable, sentence),
    quiet: (hookId) => {
      quietHook = hookId;
    },
    write: readable.write,
    lostLines: log.lostLines,
  };
}

function logNote(log: Pick<Screen, "write">, note: string): void {
  tellJson(log, toLogLine("warn", { msg: note }));
}
