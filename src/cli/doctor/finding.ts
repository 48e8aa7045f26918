/**
 * What one check found. `fix` is the command line that mends it, or a sentence where none can; null when all is well.
 */
export interface Finding {
  check: string;
  detail: string;
  fix: string | null;
  /** warn: it works now and may fail later. bad: it does not work, or data are lost. */
  status: "ok" | "warn" | "bad";
}

type Verdict = Omit<Finding, "check">;

/** One thing to look at; its judge is pure. */
export interface Check<Facts> {
  name: string;
  judge(facts: Facts): Verdict;
}

/** The verdicts of a list of checks on what is known. */
export function judgeAll<Facts>(checks: readonly Check<Facts>[], facts: Facts): Finding[] {
  return checks.map(({ name, judge }) => ({ check: name, ...judge(facts) }));
}

export const ok = (detail: string): Verdict => ({ detail, fix: null, status: "ok" });
export const warn = (detail: string, fix: string): Verdict => ({ detail, fix, status: "warn" });
export const bad = (detail: string, fix: string): Verdict => ({ detail, fix, status: "bad" });
