export interface Finding {
  check: string;
  detail: string;
  /** A command line or a sentence; null without a problem. */
  fix: string | null;
  /** warn: may fail later. bad: does not work, or data is lost. */
  status: "ok" | "warn" | "bad";
}

type Verdict = Omit<Finding, "check">;

export interface Check<Facts> {
  name: string;
  judge(facts: Facts): Verdict;
}

export function judgeAll<Facts>(checks: readonly Check<Facts>[], facts: Facts): Finding[] {
  return checks.map(({ name, judge }) => ({ check: name, ...judge(facts) }));
}

export const ok = (detail: string): Verdict => ({ detail, fix: null, status: "ok" });
export const warn = (detail: string, fix: string): Verdict => ({ detail, fix, status: "warn" });
export const bad = (detail: string, fix: string): Verdict => ({ detail, fix, status: "bad" });
