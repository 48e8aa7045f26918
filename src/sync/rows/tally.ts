/** How often a rule was applied to the rows of a file. */
export interface Applied {
  rule: string;
  rows: number;
  /** The first value it was applied to, and what became of it. */
  example: string;
  /** The first lines. */
  lines: readonly number[];
}

/** Counts the corrections of rows' values; a row that is read twice counts once. */
export interface RowTally {
  note(rule: string, line: number, example: () => string): void;
  all(): Applied[];
}

export function createTally(): RowTally {
  const rules = new Map<string, { example: string; lines: Set<number> }>();
  return {
    note(rule, line, example) {
      const known = rules.get(rule);
      if (known) known.lines.add(line);
      else rules.set(rule, { example: example(), lines: new Set([line]) });
    },
    all: () =>
      [...rules].map(([rule, { example, lines }]) => ({
        rule,
        rows: lines.size,
        example,
        lines: [...lines].slice(0, 5),
      })),
  };
}
