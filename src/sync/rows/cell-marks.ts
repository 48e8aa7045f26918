/**
 * Marks a text that a spreadsheet would run as a formula (=, +, -, @, tab, CR) with an apostrophe. A text that looks
 * marked gets another one.
 */
export function markText(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

export function unmarkText(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
