import { emitKeypressEvents } from "node:readline";
import type { CliContext } from "../../../context.ts";

/** A key as Node decodes it: its name, or the characters that were typed or pasted. */
export interface Key {
  name: string;
  text: string;
  isCtrl: boolean;
}

/** Reads keys one by one, without echo, until `stop`, which gives the terminal its own ways back. */
export function readKeys({ stdin }: CliContext, onKey: (key: Key) => void): { stop(): void } {
  const terminal: CliContext["stdin"] & { setRawMode?: (isRaw: boolean) => unknown } = stdin;
  emitKeypressEvents(terminal);
  const listener = (text: string | undefined, key: { name?: string; ctrl?: boolean } | undefined) =>
    onKey({ name: key?.name ?? "", text: text ?? "", isCtrl: key?.ctrl === true });
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
