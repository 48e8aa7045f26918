import type { CliContext } from "../../context.ts";
import { tell } from "../../output/tell.ts";

interface Keyboard {
  setRawMode?(isRaw: boolean): unknown;
}

/** Reads without Enter, then restores the terminal. */
export async function askKey({ stderr, stdin }: CliContext, question: string): Promise<string> {
  tell(stderr, question);
  const keyboard: Keyboard & CliContext["stdin"] = stdin;
  let answer: (key: string) => void = () => undefined;
  const onData = (typed: unknown) => answer(String(typed).charAt(0));
  const onEnd = () => answer("");
  keyboard.setRawMode?.(true);
  try {
    return await new Promise<string>((resolve) => {
      stdin.once("data", onData).once("end", onEnd).resume();
      answer = resolve;
    });
  } finally {
    stdin.off("data", onData).off("end", onEnd);
    keyboard.setRawMode?.(false);
    stdin.pause();
  }
}
