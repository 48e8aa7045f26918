import { type CliContext, type Pager, sizeOf } from "../context.ts";
import type { OutputOptions } from "./options.ts";
import { writeOut } from "./write-out.ts";

/** Where data goes: standard output, or a pager before it. */
export interface Out {
  write(text: string): Promise<void>;
  /** Whether nobody reads any more. */
  isClosed(): boolean;
  /** Waits until a pager was left. */
  end(): Promise<void>;
}

/** Tables that are longer than the terminal go through the pager that PAGER names, less when it names none. */
export function openOut(context: CliContext, options: OutputOptions, hasPager: boolean): Out {
  const { env, stdout } = context;
  const command = env.PAGER?.trim() ?? "less";
  const mayPage = hasPager && options.form === "table" && stdout.isTTY && !["", "cat"].includes(command);
  let pager: Pager | null = null;
  let held = "";
  return {
    async write(text) {
      if (pager) return pager.write(text);
      if (!mayPage || env.TERM === "dumb") return writeOut(stdout, text);
      held += text;
      if (countLines(held) < sizeOf(stdout).rows) return;
      pager = (await context.host?.startPager(command, env)) ?? null;
      // The pager reads the keys now, so Ctrl-C must not end the program under it.
      if (pager) context.onInterrupt(() => undefined);
      const start = held;
      held = "";
      await (pager ? pager.write(start) : writeOut(stdout, start));
    },
    isClosed: () => pager?.isClosed() ?? false,
    async end() {
      await writeOut(stdout, held);
      await pager?.end();
    },
  };
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}
