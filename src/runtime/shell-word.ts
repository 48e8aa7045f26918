/** Quotes a text as one word of a shell command, in double quotes where they suffice. */
export function toShellWord(text: string): string {
  if (/^[\w@%+=:,./~-]+$/.test(text)) return text;
  return /^[^"$`\\!]+$/.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}
