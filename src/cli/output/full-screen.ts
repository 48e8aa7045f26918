/** Takes the other screen of the terminal, without cursor and without wrapping, so that nothing can scroll. */
export const enterScreen = "\u001b[?1049h\u001b[?25l\u001b[?7l";

/** Gives the terminal back as it was. */
export const leaveScreen = "\u001b[?7h\u001b[?25h\u001b[?1049l";

/**
 * Everything in one write, each line over the one that was there: nothing flickers. The foot is the last line of the
 * terminal; the others must be fewer than its rows.
 */
export function toFrame(lines: readonly string[], foot: string, rows: number): string {
  // A line is cleared before it is written: after a full one the last column would go.
  const body = lines.map((line) => `\u001b[K${line}\r\n`);
  return `\u001b[?2026h\u001b[H${body.join("")}\u001b[J\u001b[${rows};1H${foot}\u001b[?2026l`;
}
