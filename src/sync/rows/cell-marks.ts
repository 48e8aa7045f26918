/** An apostrophe marks a text that a spreadsheet would run as a formula, or that looks marked. */
export function markText(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

export function unmarkText(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
