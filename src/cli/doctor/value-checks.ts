import { bad, type Check, ok, warn } from "./finding.ts";

/** What reading the values in a file found, and the commands that mend it. */
export interface ValuesAt {
  /** Texts that should be JSON and are not; null when nobody looked. */
  brokenJson: string[] | null;
  /** Kept numbers that are wrong; null when nobody counted. */
  wrongCounts: number | null;
  /** The command that makes the kept numbers anew. */
  repair: string;
  /** The command that puts a backup in place of the store. */
  restore: string;
}

/** The numbers that are kept, by triggers or by the program. */
export const countsCheck: Check<Pick<ValuesAt, "repair" | "wrongCounts">> = {
  name: "counts",
  judge: ({ repair, wrongCounts }) => {
    if (wrongCounts === null) return ok("not counted without --full");
    if (wrongCounts === 0) return ok("the numbers that are kept are right");
    return warn(`${wrongCounts} numbers that are kept are wrong`, repair);
  },
};

/** What is looked at in the values of a file whose tables are as they should be. */
export const valueChecks: readonly Check<ValuesAt>[] = [
  {
    name: "json",
    judge: ({ brokenJson, restore }) => {
      if (brokenJson === null) return ok("not looked at without --full");
      if (brokenJson.length === 0) return ok("every text that should be JSON is");
      return bad(`texts that should be JSON are not: ${brokenJson.join(", ")}`, restore);
    },
  },
  countsCheck,
];
