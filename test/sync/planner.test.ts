import { beforeAll, describe, expect, it } from "vitest";
import { type LoadedKind, loadKind } from "../../src/sync/load-kinds.ts";
import { type Calls, planChange, type Wanted } from "../../src/sync/planner.ts";
import { syncKinds } from "../../src/sync/sync-kinds.ts";

let jobs: LoadedKind;
const there = { id: 7, flags: "old", address_id: 3, priority: 1 };

beforeAll(async () => {
  const def = syncKinds.find(({ noun }) => noun === "jobs");
  if (!def) throw new Error("There is no kind of jobs.");
  jobs = await loadKind(def);
});

function* noCalls(): Calls {}

function plan(wanted: Partial<Wanted>) {
  return planChange({
    actual: there,
    fields: {},
    kind: jobs,
    parts: [],
    toCalls: () => noCalls,
    ...wanted,
  });
}

describe("the plan of a record", () => {
  it("is empty if the source equals the target, or contains nothing", () => {
    expect(plan({})).toEqual({ action: "same", id: 7 });
    expect(plan({ fields: { flags: "old", fail_reason: null } })).toEqual({ action: "same", id: 7 });
  });

  it("names each field that differs, in the order of the source", () => {
    expect(plan({ fields: { priority: null, flags: "new" } })).toMatchObject({
      action: "update",
      id: 7,
      changes: [
        { field: "priority", from: 1, to: null, readOnly: false },
        { field: "flags", from: "old", to: "new", readOnly: false },
      ],
    });
  });

  it("reports a difference that no operation can write, or rejects it if the source is wrong", () => {
    const fields = { address_id: 4 };
    expect(plan({ fields })).toEqual({
      action: "readOnly",
      id: 7,
      changes: [{ field: "address_id", from: 3, to: 4, readOnly: true }],
    });
    expect(plan({ fields, refusesReadOnly: true })).toEqual({
      action: "reject",
      violations: [
        {
          code: "state_conflict",
          detail: "address_id is 3 and cannot be changed to 4.",
          field: "address_id",
        },
      ],
    });
  });

  it("checks only what differs, because existing values may have been valid earlier", () => {
    const checked: string[] = [];
    const check: NonNullable<Wanted["check"]> = (_, said) => {
      checked.push(...Object.keys(said));
      return { value: said, violations: [] };
    };
    plan({ check, fields: { flags: "old", priority: 2 } });
    expect(checked).toEqual(["priority"]);
  });

  it("names the entries of a list that differ, that are new, and that only the target has", () => {
    const [, materials] = jobs.parts;
    if (!materials) throw new Error("Jobs have no materials.");
    const parts: Wanted["parts"] = [
      {
        part: materials,
        entries: [
          { number: null, said: { quantity: 2 }, actual: { id: 1, quantity: 1 } },
          { number: null, said: { quantity: 3 }, actual: null },
        ],
        others: [{ id: 9, quantity: 4 }],
        toName: (index) => ({ entry: `materials[${index}]`, prefix: `materials[${index}].` }),
      },
    ];
    expect(plan({ parts })).toMatchObject({
      action: "update",
      changes: [
        { field: "materials[0].quantity", from: 1, to: 2, readOnly: true },
        { field: "materials[1]", from: null, to: { quantity: 3 }, readOnly: false },
        { field: "materials[2]", from: { quantity: 4 }, to: null, readOnly: true },
      ],
    });
  });
});
