import {
  cursorHide,
  cursorShow,
  cursorTo,
  enterAlternativeScreen,
  eraseDown,
  eraseEndLine,
  exitAlternativeScreen,
  synchronizedOutput,
} from "ansi-escapes";

// Wrapped lines would scroll. Marked pastes do not act as keys.
const [wrapOff, wrapOn] = ["\u001b[?7l", "\u001b[?7h"];
const [markPastes, markNoPastes] = ["\u001b[?2004h", "\u001b[?2004l"];

/** The alternate screen without cursor and wrapping, so that nothing scrolls. */
export const enterScreen = enterAlternativeScreen + cursorHide + wrapOff + markPastes;

export const leaveScreen = markNoPastes + wrapOn + cursorShow + exitAlternativeScreen;

/** One write over the old lines avoids flicker. `lines` must be fewer than `rows`. */
export function toFrame(lines: readonly string[], foot: string, rows: number): string {
  // Clear before writing: clearing after a full line erases its last column.
  const body = lines.map((line) => `${eraseEndLine}${line}\r\n`);
  const last = cursorTo(0, rows - 1) + foot;
  return synchronizedOutput(cursorTo(0, 0) + body.join("") + eraseDown + last);
}
