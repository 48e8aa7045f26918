import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { formatAnswer } from "../../../src/cli/output/format.ts";
import { answer, customer, job, options } from "./records.ts";

const columns = ["id", "name", "account_number_1", "is_active"];

describe("a card", () => {
  test("wraps under its values at 80 columns", async () => {
    const { stdout, note } = await formatAnswer(answer(customer()), options({ columns }));
    expect(stdout).toMatchInlineSnapshot(`
      "id                7
      name              上海环保科技有限公司
      account_number_1  AC-10-4471
      is_active         yes
      created_on        2026-03-02 07:12:44
      is_commercial     no
      location_id       1
      note              Gate code 4417. Call ahead when the yard is closed; the night
                        guard opens the north gate only.
                        Dogs on site!
      addresses
        • id: 70 · country: US · is_active: yes · is_billing: yes · is_physical: yes
          is_shipping: no · latitude: 40.712776 · line_1: 1200 Industrial Pkwy
          locality: Springfield · longitude: -74.005974 · postcode: 62704 · region: IL
        • id: 71 · country: US · is_active: yes · is_billing: yes · is_physical: yes
          is_shipping: no · latitude: 40.712776 · line_1: Werkstraße 7
          line_2: Hinterhof · locality: Springfield · longitude: -74.005974
          postcode: 62704 · region: IL
      contacts
        • id: 7 · name: Dana Whitfield · email: dispatch@acme.example
          notify_on_completed_request: yes · notify_on_failed_request: yes
          number: +1 217 555 0142
          no: notify_on_acknowledged_request, notify_on_dispatched_request,
            notify_on_new_request
        • id: 8 · name: 山田 太郎 · email: dispatch@acme.example
          notify_on_completed_request: yes · notify_on_failed_request: yes
          no: notify_on_acknowledged_request, notify_on_dispatched_request,
            notify_on_new_request
      "
    `);
    expect(note).toMatchInlineSnapshot(`"8 empty fields not shown · -o json shows all"`);
  });

  test("draws the records within as tables where they fit, as at 160 columns", async () => {
    const { stdout } = await formatAnswer(answer(customer()), options({ columns, width: 160 }));
    expect(stdout).toMatchInlineSnapshot(`
      "id                7
      name              上海环保科技有限公司
      account_number_1  AC-10-4471
      is_active         yes
      created_on        2026-03-02 07:12:44
      is_commercial     no
      location_id       1
      note              Gate code 4417. Call ahead when the yard is closed; the night guard opens the north gate only.
                        Dogs on site!
      addresses
        id  country  is_active  is_billing  is_physical  is_shipping   latitude  line_1                line_2     locality      longitude  postcode  region
        ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
        70  US       yes        yes         yes          no           40.712776  1200 Industrial Pkwy  –          Springfield  -74.005974  62704     IL
        71  US       yes        yes         yes          no           40.712776  Werkstraße 7          Hinterhof  Springfield  -74.005974  62704     IL
      contacts
        • id: 7 · name: Dana Whitfield · email: dispatch@acme.example · notify_on_completed_request: yes · notify_on_failed_request: yes · number: +1 217 555 0142
          no: notify_on_acknowledged_request, notify_on_dispatched_request, notify_on_new_request
        • id: 8 · name: 山田 太郎 · email: dispatch@acme.example · notify_on_completed_request: yes · notify_on_failed_request: yes
          no: notify_on_acknowledged_request, notify_on_dispatched_request, notify_on_new_request
      "
    `);
  });

  test("off a terminal wraps and shortens nothing and has no note", async () => {
    const { stdout, note } = await formatAnswer(answer(customer()), options({ columns, isTerminal: false }));
    expect(stdout).toContain("created_on        2026-03-02T07:12:44.120311\n");
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

  test("breaks words that are longer than a line, wide ones too", async () => {
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

  test("shows picked fields in the order given, those without a value too", async () => {
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

  test("gathers flags that are off in one line", async () => {
    const record = { id: 1, is_deleted: false, is_failed: false, is_paid: false, is_ready: true };
    const { stdout } = await formatAnswer(answer(record), options());
    expect(stdout).toMatchInlineSnapshot(`
      "id        1
      is_ready  yes
      no        is_deleted, is_failed, is_paid
      "
    `);
  });

  test("draws what is nested in what is nested", async () => {
    const asset = { asset_type: { id: 3, name: "20yd roll-off" }, id: 71, number: "RO-20-117" };
    const { stdout } = await formatAnswer(answer({ asset, id: 1 }), options());
    expect(stdout).toMatchInlineSnapshot(`
      "id  1
      asset
        id: 71 · number: RO-20-117
        asset_type
          id: 3 · name: 20yd roll-off
      "
    `);
  });

  test("dims labels and marks headings, and leaves values as they are", async () => {
    const { stdout } = await formatAnswer(answer({ asset: { id: 7 }, id: 1 }), options({ colour: true }));
    expect(stdout).toBe("\x1b[2mid\x1b[22m  1\n\x1b[1masset\x1b[22m\n  \x1b[2mid:\x1b[22m 7\n");
  });
});
