import { emitKeypressEvents, type Interface } from "node:readline";
import type { CliContext } from "../../../context.ts";

export interface Key {
  name: string;
  text: string;
  isCtrl: boolean;
}

/** Reads without echo until `stop`, which restores the terminal. */
export function readKeys({ stdin }: CliContext, onKey: (key: Key) => void): { stop(): void } {
  const terminal: CliContext["stdin"] & { setRawMode?: (isRaw: boolean) => unknown } = stdin;
  emitKeypressEvents(terminal, { escapeCodeTimeout: escapeMs } as unknown as Interface);
  let pasted: string | null = null;
  const listener = (text: string | undefined, key: { name?: string; ctrl?: boolean } | undefined) => {
    const name = key?.name ?? "";
    if (name === "paste-start") pasted = "";
    else if (name === "paste-end") {
      onKey({ name: "paste", text: pasted ?? "", isCtrl: false });
      pasted = null;
    } else if (pasted !== null) pasted += text ?? "";
    else onKey({ name, text: text ?? "", isCtrl: key?.ctrl === true });
  };
  terminal.setRawMode?.(true);
  terminal.on("keypress", listener);
  terminal.resume();
  return {
    stop: () => {
      terminal.off("keypress", listener);
      terminal.setRawMode?.(false);
      terminal.pause();
    },
  };
}

/** How long Esc waits for the rest of another key: enough for a slow line, and too short to notice. */
const escapeMs = 50;
