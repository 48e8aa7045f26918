import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { formatAnswer } from "../../../src/cli/output/format.ts";
import { answer, job, jobColumns, jobFields, jobList, names, options, page } from "./records.ts";

const listOptions = options({ columns: jobColumns, knownFields: jobFields });

describe("a table", () => {
  test("divides 80 columns among its columns and names the omitted ones", async () => {
    const { stdout, note } = await formatAnswer(answer(jobList()), listOptions);
    expect(stdout).toMatchInlineSnapshot(`
      "                                                          dispatch_   is_
        id  type  schedule_date     customer.name     truck_id  priority    completed
      ────────────────────────────────────────────────────────────────────────────────
      1001  D     2026-11-21 08:45  Acme Recycling …         3  H           no
      1002  D     2026-11-21 08:45  上海环保科技有…          –  –           yes
      1003  D     2026-11-21 08:45  Müller & Söhne …         5  H           no
      1004  D     2026-11-21 08:45  👩‍🔧 Fix-It Crew …         6  –           no
      1005  D     2026-11-21 08:45  ภูมิใจ รีไซเคิล              –  H           yes
      1006  D     2026-11-21 08:45  Evil\\x1b[31m \\x…         8  –           no
      "
    `);
    expect(note).toMatchInlineSnapshot(
      `"showing 1–6 of 2,000 · page 1 of 334 · no room for reference_number"`,
    );
  });

  test("shows everything at 160 columns", async () => {
    const { stdout, note } = await formatAnswer(answer(jobList()), { ...listOptions, width: 160 });
    expect(stdout).toMatchInlineSnapshot(`
      "  id  type  schedule_date     customer.name                                       truck_id  dispatch_priority  is_completed  reference_number
      ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      1001  D     2026-11-21 08:45  Acme Recycling & Waste Co.                                 3  H                  no            PO-89001
      1002  D     2026-11-21 08:45  上海环保科技有限公司                                       –  –                  yes           –
      1003  D     2026-11-21 08:45  Müller & Söhne Containerdienst und Entsorgung GmbH         5  H                  no            PO-89003
      1004  D     2026-11-21 08:45  👩‍🔧 Fix-It Crew 🚛                                          6  –                  no            –
      1005  D     2026-11-21 08:45  ภูมิใจ รีไซเคิล                                                –  H                  yes           PO-89005
      1006  D     2026-11-21 08:45  Evil\\x1b[31m \\x1b]0;pwned\\x07\\nCorp                        8  –                  no            –
      "
    `);
    expect(note).toMatchInlineSnapshot(`"showing 1–6 of 2,000 · page 1 of 334"`);
  });

  test("cuts only very long texts if the output is not a terminal, and says so", async () => {
    const records = [{ id: 1, note: "x".repeat(2000) }];
    const piped = options({ columns: ["id", "note"], isTerminal: false, knownFields: ["id", "note"] });
    const { stdout, note } = await formatAnswer(answer(records), piped);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBe(104);
    expect(note).toBe("cut to 100 characters: note; -o csv shows them in full");
  });

  test("is neither cut nor shortened without a terminal, and has no note", async () => {
    const { stdout, note } = await formatAnswer(answer(jobList()), { ...listOptions, isTerminal: false });
    expect(stdout).toMatchInlineSnapshot(`
      "  id  type  schedule_date               customer.name                                       truck_id  dispatch_priority  is_completed  reference_number
      ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      1001  D     2026-11-21T08:45:30.123456  Acme Recycling & Waste Co.                                 3  H                  no            PO-89001
      1002  D     2026-11-21T08:45:30.123456  上海环保科技有限公司                                       –  –                  yes           –
      1003  D     2026-11-21T08:45:30.123456  Müller & Söhne Containerdienst und Entsorgung GmbH         5  H                  no            PO-89003
      1004  D     2026-11-21T08:45:30.123456  👩‍🔧 Fix-It Crew 🚛                                          6  –                  no            –
      1005  D     2026-11-21T08:45:30.123456  ภูมิใจ รีไซเคิล                                                –  H                  yes           PO-89005
      1006  D     2026-11-21T08:45:30.123456  Evil\\x1b[31m \\x1b]0;pwned\\x07\\nCorp                        8  –                  no            –
      "
    `);
    expect(note).toBeNull();
  });

  test("has no line wider than the terminal, at any width that fits its columns", async () => {
    for (let width = 30; width <= 200; width++) {
      const { stdout } = await formatAnswer(answer(jobList()), { ...listOptions, width });
      const widest = Math.max(...stdout.split("\n").map((line) => stringWidth(line)));
      expect(widest, `at ${width} columns`).toBeLessThanOrEqual(width);
    }
  });

  test("shows midnight as a date, on a terminal only", async () => {
    const list = ["2026-12-01T00:00:00.000000", "2026-12-01T00:00:00.000001"].map((schedule_date) => ({
      schedule_date,
    }));
    const shown = await formatAnswer(answer(list), options());
    expect(shown.stdout.split("\n").slice(2, 4)).toEqual(["2026-12-01", "2026-12-01 00:00"]);
    const piped = await formatAnswer(answer(list), options({ isTerminal: false }));
    expect(piped.stdout.split("\n")[2]).toBe("2026-12-01T00:00:00.000000");
  });

  test("keeps its columns aligned in any script", async () => {
    const { stdout } = await formatAnswer(answer(jobList()), { ...listOptions, width: 160 });
    const rows = stdout.split("\n").slice(2, 2 + names.length);
    const priorities = rows.map((row) => stringWidth(row.slice(0, row.search(/(H|–) {10}/))));
    expect(new Set(priorities).size).toBe(1);
  });

  test("colors only the header, the identifier and missing values", async () => {
    const list = page([job(1004, "Acme")], { limit: 1, index: 1, count: 1 });
    const fields = ["id", "truck_id", "type", "is_completed", "reference_number"];
    const { stdout } = await formatAnswer(answer(list), { ...listOptions, color: true, fields });
    const [heading, rule, row] = stdout.split("\n");
    expect(heading).toBe("\x1b[1m  id  truck_id  type  is_completed  reference_number\x1b[22m");
    expect(rule).toBe(`\x1b[2m${"─".repeat(52)}\x1b[22m`);
    expect(row).toBe("\x1b[36m1004\x1b[39m         6  D     \x1b[2mno\x1b[22m            \x1b[2m–\x1b[22m");
  });

  test("omits columns that the version of the answer does not have", async () => {
    const { stdout } = await formatAnswer(answer(jobList()), {
      ...listOptions,
      columns: ["id", "created_by"],
    });
    expect(stdout.split("\n")[0]).toBe("  id");
  });

  test("shows the scalar fields with a value by default, the identifier first", async () => {
    const list = [
      { driver_id: null, flags: null, id: 3, location: { id: 1 }, name: "Big Red" },
      { driver_id: 5, flags: null, id: 4, location: null, name: "トラック" },
    ];
    const { stdout, note } = await formatAnswer(answer(list), options());
    expect(stdout).toMatchInlineSnapshot(`
      "id  name      driver_id
      ───────────────────────
       3  Big Red           –
       4  トラック          5
      "
    `);
    expect(note).toBe("2 records");
  });

  test("shows lists as their entries, objects as JSON, and selected fields in the given order", async () => {
    const list = [{ events: ["Job", "Ping"], id: 1, last: { at: "2026-11-21" } }];
    const { stdout } = await formatAnswer(answer(list), options({ fields: ["last", "events", "id"] }));
    expect(stdout).toMatchInlineSnapshot(`
      "last                 events     id
      ──────────────────────────────────
      {"at":"2026-11-21"}  Job, Ping   1
      "
    `);
  });
});

test("counts records without a field", async () => {
  expect(await formatAnswer(answer([{}, {}]), options())).toEqual({ stdout: "", note: "2 records" });
});

test("shows an answer that is not a record as a value", async () => {
  const { stdout } = await formatAnswer(answer(["Job", "Ping"]), options());
  expect(stdout.split("\n")).toEqual(["value", "─────", "Job", "Ping", ""]);
});

describe("the note under a table", () => {
  const note = async (list: ReturnType<typeof page>) => (await formatAnswer(answer(list), listOptions)).note;

  test("shows the count", async () => {
    expect(await note(page([job(1)], { limit: 20, index: 1, count: 1 }))).toContain("1 record");
    expect(await note(page([job(1), job(2)], { limit: 2, index: 3, count: 1999 }))).toContain(
      "showing 5–6 of 1,999 · page 3 of 1,000",
    );
  });

  test("names the first omitted columns", async () => {
    const { note } = await formatAnswer(answer(jobList()), { ...listOptions, width: 40 });
    expect(note).toContain("no room for customer.name, truck_id, dispatch_priority and 2 more");
  });

  test("reports an empty list and an empty page", async () => {
    expect(await note(page([], { limit: 20, index: 1, count: 0 }))).toBe("no records");
    expect(await note(page([], { limit: 20, index: 7, count: 45 }))).toBe("showing none of 45 · page 7 of 3");
  });

  test("is the whole output for an empty list", async () => {
    const { stdout } = await formatAnswer(answer(page([], { limit: 20, index: 1, count: 0 })), listOptions);
    expect(stdout).toBe("");
  });
});
