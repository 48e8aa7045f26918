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

// Lines that are wrapped would scroll; what is pasted is marked, so that it is not taken for keys.
const [wrapOff, wrapOn] = ["\u001b[?7l", "\u001b[?7h"];
const [markPastes, markNoPastes] = ["\u001b[?2004h", "\u001b[?2004l"];

/** Takes the other screen of the terminal, without cursor and without wrapping, so that nothing can scroll. */
export const enterScreen = enterAlternativeScreen + cursorHide + wrapOff + markPastes;

/** Gives the terminal back as it was. */
export const leaveScreen = markNoPastes + wrapOn + cursorShow + exitAlternativeScreen;

/**
 * Everything in one write, each line over the one that was there: nothing flickers. The foot is the last line of the
 * terminal; the others must be fewer than its rows.
 */
export function toFrame(lines: readonly string[], foot: string, rows: number): string {
  // A line is cleared before it is written: after a full one the last column would go.
  const body = lines.map((line) => `${eraseEndLine}${line}\r\n`);
  const last = cursorTo(0, rows - 1) + foot;
  return synchronizedOutput(cursorTo(0, 0) + body.join("") + eraseDown + last);
}
