import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { formatAnswer } from "../../../src/cli/output/format.ts";
import { answer, customer, job, options } from "./records.ts";

const columns = ["id", "name", "account_number_1", "is_active"];

describe("a card", () => {
  test("wraps its values at 80 columns", async () => {
    const { stdout, note } = await formatAnswer(answer(customer()), options({ columns }));
    expect(stdout).toMatchInlineSnapshot(`
      "id                7
      name              上海环保科技有限公司
      account number 1  AC-10-4471
      location          location 1
      note              Gate code 4417. Call ahead when the yard is closed; the night
                        guard opens the north gate only.
                        Dogs on site!

      times             created Mon Mar 2 2026 7:12 (UTC)

      addresses
        • 1200 Industrial Pkwy, Springfield, IL 62704 · billing · id 70
        • Werkstraße 7, Hinterhof, Springfield, IL 62704 · billing · id 71
      contacts
        • Dana Whitfield, +1 217 555 0142, dispatch@acme.example · notified of
          completed, failed jobs · id 7
        • 山田 太郎, dispatch@acme.example · notified of completed, failed jobs · id 8
      "
    `);
    expect(note).toBe("--all-fields shows every field");
  });

  test("fits more values in a line at 160 columns", async () => {
    const { stdout } = await formatAnswer(answer(customer()), options({ columns, width: 160 }));
    expect(stdout).toMatchInlineSnapshot(`
      "id                7
      name              上海环保科技有限公司
      account number 1  AC-10-4471
      location          location 1
      note              Gate code 4417. Call ahead when the yard is closed; the night guard opens the north gate only.
                        Dogs on site!

      times             created Mon Mar 2 2026 7:12 (UTC)

      addresses
        • 1200 Industrial Pkwy, Springfield, IL 62704 · billing · id 70
        • Werkstraße 7, Hinterhof, Springfield, IL 62704 · billing · id 71
      contacts
        • Dana Whitfield, +1 217 555 0142, dispatch@acme.example · notified of completed, failed jobs · id 7
        • 山田 太郎, dispatch@acme.example · notified of completed, failed jobs · id 8
      "
    `);
  });

  test("neither wraps nor shortens and has no note if the output is not a terminal", async () => {
    const { stdout, note } = await formatAnswer(answer(customer()), options({ columns, isTerminal: false }));
    expect(stdout).toContain("times             created Mon Mar 2 2026 7:12 (UTC)\n");
    expect(stdout).toContain(
      "  Gate code 4417. Call ahead when the yard is closed; the night guard opens the north",
    );
    expect(note).toBeNull();
  });

  test("has no line wider than the terminal", async () => {
    for (let width = 45; width <= 200; width++) {
      const { stdout } = await formatAnswer(answer(customer()), options({ width }));
      const widest = Math.max(...stdout.split("\n").map((line) => stringWidth(line)));
      expect(widest, `at ${width} columns`).toBeLessThanOrEqual(width);
    }
  });

  test("breaks words that are longer than a line, also wide ones", async () => {
    const record = { id: 1, note: "請放在倉庫後面謝謝".repeat(3) };
    const { stdout } = await formatAnswer(answer(record), options({ width: 30 }));
    expect(stdout).toMatchInlineSnapshot(`
      "id    1
      note  請放在倉庫後面謝謝請放在
            倉庫後面謝謝請放在倉庫後
            面謝謝
      "
    `);
  });

  test("shows selected fields in the given order, also empty ones", async () => {
    const fields = ["reference_number", "customer.name", "driver_notes", "is_completed", "id"];
    const { stdout, note } = await formatAnswer(answer(job(1002)), options({ fields }));
    expect(stdout).toMatchInlineSnapshot(`
      "reference_number  –
      customer.name     Acme Recycling & Waste Co.
      driver_notes      –
      is_completed      yes
      id                1002
      "
    `);
    expect(note).toBeNull();
  });

  test("omits flags that are off, and lists the others in one line", async () => {
    const record = { id: 1, is_deleted: false, is_failed: false, is_paid: false, is_ready: true };
    const { stdout } = await formatAnswer(answer(record), options());
    expect(stdout).toMatchInlineSnapshot(`
      "id      1

      marked  ready
      "
    `);
  });

  test("draws nested records at every depth", async () => {
    const asset = { asset_type: { id: 3, name: "20yd roll-off" }, id: 71, number: "RO-20-117" };
    const { stdout } = await formatAnswer(answer({ asset, id: 1 }), options());
    expect(stdout).toMatchInlineSnapshot(`
      "id  1

      asset
        number RO-20-117 · id 71
        asset type
          20yd roll-off · id 3
      "
    `);
  });

  test("dims labels and headings, and no values", async () => {
    const { stdout } = await formatAnswer(answer({ asset: { id: 7 }, id: 1 }), options({ color: true }));
    expect(stdout).toBe("\x1b[2mid\x1b[22m  1\n\n\x1b[2masset\x1b[22m\n  id 7\n");
  });
});
