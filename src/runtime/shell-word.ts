/** Prefers double quotes. */
export function toShellWord(text: string): string {
  if (/^[\w@%+=:,./~-]+$/.test(text)) return text;
  return /^[^"$`\\!]+$/.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}
