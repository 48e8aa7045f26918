import type { Screen } from "../context.ts";

/** Writes and waits until the reader has room for more, so that a slow one does not fill the memory. */
export async function writeOut(screen: Screen, text: string | Uint8Array): Promise<void> {
  if (text.length === 0) return;
  if (screen.write(text) !== false || !screen.once) return;
  await new Promise<void>((resolve) => screen.once?.("drain", resolve));
}
