/**
 * Marks a text that a spreadsheet would run as a formula (=, +, -, @, tab, CR at its beginning) as text, with an apostrophe;
 * `unmarkText` takes it off again. A text that looks as if it were marked gets another one.
 */
export function markText(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** Takes off the apostrophe that `markText` put before a text. */
export function unmarkText(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
