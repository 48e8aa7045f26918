import type { WalkedPage } from "../../../client/client.ts";
import { keepHeapSmall } from "../../../runtime/small-heap.ts";
import type { CliContext } from "../../context.ts";
import { untilInterrupted, watchInterruption } from "../../outcome/interruption.ts";
import type { JsonRecord } from "../../output/answer.ts";
import type { OutputOptions } from "../../output/options.ts";
import { createProgressLine, drawBar } from "../../output/progress-line.ts";
import { createRecordStream } from "../../output/record-stream.ts";
import { tell } from "../../output/tell.ts";
import { type ExportProgress, openPartFile } from "./part-file.ts";
import { writeText } from "./write-text.ts";

export interface ExportSource {
  noun: string;
  output: OutputOptions;
  total: number | null;
  /** The rows of a record in a sheet; by default the record. */
  toRows?(record: JsonRecord): JsonRecord[];
  pages(after: string | null): AsyncGenerator<WalkedPage>;
}

export interface Exported {
  count: number;
  bytes: number;
}

/** The file gets its name when it is complete. An interrupted export can be resumed. */
export async function exportToFile(
  context: CliContext,
  source: ExportSource,
  { file, asked, resumes }: { file: string; asked: string; resumes: boolean },
): Promise<Exported> {
  const part = await openPartFile(file, asked, resumes);
  const { resumed } = part;
  if (resumes) tell(context.stderr, describeResumed(source.noun, resumed));
  let progress: ExportProgress = resumed ?? { count: 0, after: null };
  try {
    const { count } = await exportRecords(context, source, resumed, async (pieces, reached) => {
      await part.write(pieces, reached);
      progress = reached ?? progress;
    });
    return { count, bytes: await part.finish() };
  } catch (error) {
    await part.close();
    if (progress.after !== null)
      tell(
        context.stderr,
        `${progress.count} ${source.noun} are in ${file}.part; repeat the command with --resume to continue.`,
      );
    throw error;
  }
}

function describeResumed(noun: string, resumed: ExportProgress | null): string {
  return resumed ? `Resuming after ${resumed.count} ${noun}.` : "Nothing to resume; starting.";
}

/** Writes records to a stream, or to standard output for `-`. */
export async function exportToStream(context: CliContext, source: ExportSource, file: string): Promise<void> {
  await writeText(context, file, (write) =>
    exportRecords(context, source, null, async (pieces) => {
      for (const piece of pieces) await write(piece);
    }),
  );
}

export async function exportRecords(
  context: CliContext,
  { noun, output, toRows = (record) => [record], total, pages }: ExportSource,
  resumed: ExportProgress | null,
  write: (
    pieces: readonly string[],
    progress: ExportProgress | null,
    records: readonly JsonRecord[],
  ) => Promise<void>,
): Promise<ExportProgress> {
  const interruption = watchInterruption(context);
  const stream = createRecordStream(output, resumed !== null);
  const shown = createExportProgress(context, noun, total);
  let progress = resumed ?? { count: 0, after: null };
  try {
    if (resumed === null) await write([stream.head], progress, []);
    for await (const page of untilInterrupted(interruption, keepHeapSmall(pages(progress.after)))) {
      progress = { count: progress.count + page.records.length, after: page.after };
      const records = (page.records as readonly JsonRecord[]).flatMap(toRows);
      await write(await stream.toPieces(records), progress, records);
      shown.show(progress.count);
    }
    await write([stream.end(progress.count).stdout], null, []);
    return progress;
  } finally {
    shown.end();
  }
}

/** A bar on a terminal when the total is known, else a count. */
function createExportProgress(context: CliContext, noun: string, total: number | null) {
  const line = createProgressLine(context);
  const isBar = Boolean(context.stderr.isTTY) && total !== null && total > 0;
  return {
    show(count: number) {
      const counted = total === null ? `${count} ${noun}` : `${count} of ${total} ${noun}`;
      line.show(isBar ? `${drawBar(count / total)}  ${counted}` : counted);
    },
    end: () => line.end(),
  };
}
