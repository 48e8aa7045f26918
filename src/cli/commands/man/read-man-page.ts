import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CliContext, sizeOf } from "../../context.ts";
import { toPlainText } from "../../help/plain-text.ts";

/**
 * Opens a manual page in `man`, or where that is missing as plain text in the pager; says whether somebody could read it.
 * `--no-pager` and a pipe want no reader.
 */
export async function readManPage(context: CliContext, page: string): Promise<boolean> {
  const { env, startPager, stdout } = context;
  const pager = env.PAGER?.trim() ?? "less";
  if (!stdout.isTTY || !startPager || ["", "cat"].includes(pager) || env.TERM === "dumb") return false;
  const folder = mkdtempSync(join(tmpdir(), "dispatch-cli-man-"));
  const file = join(folder, "dispatch-cli.1");
  try {
    writeFileSync(file, page);
    // The reader has the keys now, so Ctrl-C must not end the program under it.
    context.onInterrupt(() => undefined);
    const reader = await startPager(`man ${file}`, env);
    if (reader) {
      await reader.end();
      return true;
    }
    const plain = await startPager(pager, env);
    await plain?.write(toPlainText(page, sizeOf(stdout).columns));
    await plain?.end();
    return plain !== null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
