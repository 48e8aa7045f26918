/** A text as one word of a shell's command line, quoted where it must be. */
export function toShellWord(text: string): string {
  return /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
