/**
 * Marks a formula (text with =, +, -, @, tab, or CR at its start) as text with an apostrophe for spreadsheets;
 * `unmarkText` removes it. A text that looks marked gets another apostrophe.
 */
export function markText(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** Removes the apostrophe of `markText`. */
export function unmarkText(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
