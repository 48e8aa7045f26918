/** The options of a line and their values, by the key that the parser would keep them under. */
export type Given = Readonly<Record<string, string>>;
