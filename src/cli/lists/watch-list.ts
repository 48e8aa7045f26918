import { type CliContext, type Screen, sizeOf } from "../context.ts";
import { isPassing } from "../outcome/exit-code-of.ts";
import { type Interruption, watchInterruption } from "../outcome/interruption.ts";
import { formatAnswer } from "../output/format.ts";
import type { OutputOptions } from "../output/options.ts";
import { toScreenOptions } from "../output/show.ts";
import { tell } from "../output/tell.ts";
import { writeOut } from "../output/write-out.ts";
import type { Changes } from "../target/changes.ts";

const betweenLooksMs = 2_000;

/** Redraws the list after each change; off a terminal, writes it again (ndjson, csv, and ids: only new lines). */
export async function watchList(
  context: CliContext,
  read: () => Promise<string>,
  options: OutputOptions,
  changes: Changes | null,
): Promise<never> {
  const interruption = watchInterruption(context);
  const view = context.stdout.isTTY ? createScreenView(context) : createLineView(context, options);
  try {
    let text = await interruption.during(read());
    while (true) {
      await view.show(text, options);
      text = await readAgain(context, interruption, read, changes);
    }
  } finally {
    changes?.end();
    view.end();
  }
}

async function readAgain(
  context: CliContext,
  interruption: Interruption,
  read: () => Promise<string>,
  changes: Changes | null,
): Promise<string> {
  for (let failures = 0; ; failures++) {
    if (changes) await interruption.during(changes.wait());
    else await interruption.wait(betweenLooksMs);
    try {
      return await interruption.during(read());
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (failures === 0) tell(context.stderr, `${error.message} Trying again every 2 s.`);
    }
  }
}

interface View {
  show(text: string, options: OutputOptions): Promise<void>;
  end(): void;
}

/** The alternate screen: the old one returns at the end. */
function createScreenView(context: CliContext): View {
  const { stdout } = context;
  stdout.write("\u001b[?1049h\u001b[?25l");
  return {
    async show(text, options) {
      // The size of the terminal may have changed.
      const { width } = toScreenOptions(context, { noColor: !options.color });
      const { stdout: drawn, note } = await formatAnswer(toAnswer(text), { ...options, width });
      await writeOut(stdout, toFrame(drawn.trimEnd().split("\n"), note, stdout));
    },
    end: () => void stdout.write("\u001b[?25h\u001b[?1049l"),
  };
}

/** One write over the old lines avoids flicker. */
function toFrame(lines: readonly string[], note: string | null, stdout: Screen): string {
  const room = sizeOf(stdout).rows - 1;
  const shown = lines.length > room ? lines.slice(0, room) : lines;
  const cut = lines.length - shown.length;
  const foot = [note, cut > 0 ? `${cut} more lines` : null, "Ctrl-C ends"].filter((part) => part).join(" · ");
  const text = [...shown, foot].map((line) => `${line}\u001b[K`).join("\r\n");
  return `\u001b[?2026h\u001b[H${text}\u001b[J\u001b[?2026l`;
}

function createLineView({ stdout }: CliContext, { form }: OutputOptions): View {
  const isOfLines = form === "ndjson" || form === "csv" || form === "ids";
  let before: string | null = null;
  return {
    async show(text, options) {
      const { stdout: drawn } = await formatAnswer(toAnswer(text), options);
      if (drawn === before) return;
      const known = new Set(isOfLines && before !== null ? before.split(lineEnd) : []);
      before = drawn;
      const lines = drawn.split(lineEnd).filter((line) => !known.has(line));
      await writeOut(stdout, isOfLines ? lines.join("") : drawn);
    },
    end: () => undefined,
  };
}

/** Splits after line ends. */
const lineEnd = /(?<=\n)/;

const toAnswer = (text: string) => ({ value: JSON.parse(text), text });
