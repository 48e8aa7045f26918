/** A text as one word of a shell's command line, quoted where it must be: in double quotes, as people type it, where they do. */
export function toShellWord(text: string): string {
  if (/^[\w@%+=:,./~-]+$/.test(text)) return text;
  return /^[^"$`\\!]+$/.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}
