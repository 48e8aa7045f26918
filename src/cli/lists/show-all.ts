import type { WalkedPage } from "../../client/client.ts";
import { keepHeapSmall } from "../../runtime/small-heap.ts";
import type { CliContext } from "../context.ts";
import { untilInterrupted, watchInterruption } from "../outcome/interruption.ts";
import type { JsonRecord } from "../output/answer.ts";
import { packLines } from "../output/fit-text.ts";
import type { OutputOptions } from "../output/options.ts";
import { openOut } from "../output/pager.ts";
import { createRecordStream } from "../output/record-stream.ts";
import { tell } from "../output/tell.ts";

/** In constant memory; waits for a slow reader. */
export async function showAll(
  context: CliContext,
  pages: AsyncGenerator<WalkedPage>,
  options: OutputOptions,
  hasPager: boolean,
): Promise<void> {
  const out = openOut(context, options, hasPager);
  const stream = createRecordStream(options);
  const interruption = watchInterruption(context);
  let count = 0;
  await out.write(stream.head);
  try {
    for await (const page of untilInterrupted(interruption, keepHeapSmall(pages))) {
      count += page.records.length;
      await out.write((await stream.toPieces(page.records as readonly JsonRecord[])).join(""));
      if (out.isClosed()) break;
    }
    await out.write(stream.end(count).stdout);
  } finally {
    await out.end();
  }
  // After the pager, because the note would appear in the middle of the table.
  const { note } = stream.end(count);
  if (note !== null)
    for (const line of packLines(note.split(" · "), " · ", options.width)) tell(context.stderr, line);
}
