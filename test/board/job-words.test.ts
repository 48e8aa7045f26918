import { describe, expect, it } from "vitest";
import { hasWords, toWords } from "../../src/board/job-words.ts";
import { aBoardJob } from "../cli/commands/day/a-board.ts";

describe("the filter of a board", () => {
  const job = aBoardJob(4711, { is_late: true, reference_number: "PO-9", type_name: "Drop-off" });
  const finds = (text: string) => hasWords(toWords(text), job, () => ["Truck 7", "555-0100", null]);

  it.each(["4711", "customer", "T street", "WASHINGTON", "20020", "po-9", "dispatched", "late", "drop-off"])(
    "finds a job by %j",
    (text) => expect(finds(text)).toBe(true),
  );

  it("matches all words in any order, also in further texts", () => {
    expect(finds("  0100  truck 1745 ")).toBe(true);
    expect(finds("truck 1745 elsewhere")).toBe(false);
    expect(finds("")).toBe(true);
    expect(finds("null")).toBe(false);
  });
});
