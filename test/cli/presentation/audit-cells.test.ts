import { expect, it } from "vitest";
import type { JsonRecord } from "../../../src/cli/output/answer.ts";
import { formatAnswer } from "../../../src/cli/output/format.ts";
import type { OutputOptions } from "../../../src/cli/output/options.ts";
import { loadPresentation } from "../../../src/cli/presentation/index.ts";
import { answer, options, page } from "../output/records.ts";

const entry = { action: "updated", created_on: "2026-11-21T12:00:00.000000", username: "olivia" };
const entries: JsonRecord[] = [
  {
    ...entry,
    after: { last_updated_on: "2026-11-21T12:00:00.000000", notes: "new\u001b[2J", out_of_service: true },
    before: { last_updated_on: "2026-11-20T12:00:00.000000", notes: null, out_of_service: false },
    id: 3,
    record_id: 7,
    record_type: "Truck",
  },
  {
    ...entry,
    action: "created",
    after: { created_on: "2026-11-21T12:00:00.000000", id: 9, is_paid: false, tags: ["a"], type: "D" },
    before: null,
    id: 2,
    record_id: 9,
    record_type: "Job",
  },
  { ...entry, action: "rotated", after: {}, before: {}, id: 1, record_id: 5, record_type: "Token" },
];
const list = answer(page(entries, { limit: 100, index: 1, count: 3 }));

async function draw(name: "audit.list" | "jobs.timeline", changes: Partial<OutputOptions> = {}) {
  const { cells = {}, columns = [] } = await loadPresentation(name);
  const knownFields = ["after", "before", "action", "created_on", "id", "username"];
  return (await formatAnswer(list, options({ cells, columns, knownFields, ...changes }))).stdout;
}

it("shows audit entries as lines: when, who, which record, which action and which changes", async () => {
  expect(await draw("audit.list", { width: 120 })).toMatchInlineSnapshot(`
    "created_on        username  record   action   changes
    ──────────────────────────────────────────────────────────────────────────────────
    2026-11-21 12:00  olivia    Truck 7  updated  notes – → new\\x1b[2J, out of service
    2026-11-21 12:00  olivia    Job 9    created  type Drop-off, tags a
    2026-11-21 12:00  olivia    Token 5  rotated  –
    "
  `);
});

it("shows the timeline of a job in 80 columns, and cuts longer values", async () => {
  const shown = await draw("jobs.timeline");
  expect(Math.max(...shown.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(shown).toMatchInlineSnapshot(`
    "created_on        username  action   changes
    ─────────────────────────────────────────────────────────────────────────
    2026-11-21 12:00  olivia    updated  notes – → new\\x1b[2J, out of service
    2026-11-21 12:00  olivia    created  type Drop-off, tags a
    2026-11-21 12:00  olivia    rotated  –
    "
  `);
});

it("shows selected fields unchanged", async () => {
  const picked = await draw("audit.list", { fields: ["id", "after"], width: 40 });
  expect(picked.split("\n").at(-2)).toBe(" 1  {}");
});

it("shows a selected column that is not a field", async () => {
  const picked = await draw("audit.list", { fields: ["id", "record"] });
  expect(picked.split("\n")[2]).toBe(" 3  Truck 7");
});
