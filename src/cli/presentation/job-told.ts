import type { JsonObject } from "../../models/json.ts";
import { entriesOf, toPlace } from "./cells.ts";
import { type Change, tellChange } from "./change.ts";
import { addressOf, toCustomerName } from "./job-cells.ts";
import type { Told } from "./presentation.ts";
import { tellMoment, tellWhen } from "./tell-time.ts";
import type { View } from "./view.ts";

/** `Job 1842 created: Drop-off for Potomac Roofing, 1745 T Street SE, tomorrow 8:00–10:00`. */
export const toldCreated: Told = {
  tell: ({ after }, view) => {
    const what = `${view.typeOf(after)} for ${toCustomerName(after)}`;
    const facts = [
      what,
      toPlace(addressOf(after)),
      tellWhen(after, view, true) || "no date",
      onTruck(after, view),
    ];
    return `Job ${after.id} created: ${facts.filter((fact) => fact !== "").join(", ")}`;
  },
  names: ["truck_id"],
};

/** `Job 1842 → Truck 7, tomorrow 8:00–10:00 (was unassigned)`, `Job 1842 unassigned (was Truck 7)`. */
export const toldDispatched: Told = {
  tell: ({ after, before }, view) => {
    const truck = view.nameIn(after, "truck_id");
    const when = tellWhen(after, view, true);
    const was = before === null ? "" : tellWas(before, after, view);
    const now = truck === null ? " unassigned" : ` → ${truck}`;
    return `Job ${after.id}${now}${when === "" ? "" : `, ${when}`}${was === "" ? "" : ` (was ${was})`}`;
  },
  needsBefore: true,
  names: ["truck_id"],
};

function tellWas(before: JsonObject, after: JsonObject, view: View): string {
  const truck = before.truck_id === after.truck_id ? "" : (view.nameIn(before, "truck_id") ?? "unassigned");
  const when =
    before.schedule_date === after.schedule_date ? "" : tellWhen(before, view, true) || "without a date";
  return [truck, when].filter((part) => part !== "").join(", ");
}

export const toldCompleted: Told = {
  tell: ({ after }, view) => {
    const by = view.nameIn(after, "completed_by");
    const at = tellMoment("completed_on", after, view);
    return [`Job ${after.id} completed`, at, by === null ? "" : `by ${by}`]
      .filter((part) => part !== "")
      .join(" ");
  },
  names: ["completed_by"],
};

export const toldFailed: Told = {
  tell: ({ after }) => `Job ${after.id} failed${after.fail_reason ? `: ${after.fail_reason}` : ""}`,
};

export function toldAs(word: string): Told {
  return { tell: ({ after }) => `Job ${after.id} ${word}` };
}

export const toldChanged: Told = {
  tell: (change: Change, view) => {
    const { after, before } = change;
    const isNow = (flag: string) => after[flag] === true && before?.[flag] === false;
    if (isNow("is_completed")) return toldCompleted.tell(change, view);
    if (isNow("is_failed")) return toldFailed.tell(change, view);
    return tellChange(change, view);
  },
  needsBefore: true,
  names: ["truck_id", "completed_by"],
};

export const toldItem: Told = {
  tell: ({ after, params }) => `Job ${params.job_id}: item ${after.description} added`,
};

export const toldImage: Told = {
  tell: ({ after }) => {
    const image = entriesOf(after, "images").at(-1);
    return `Job ${after.id}: image added, ${image?.description || image?.url}`;
  },
};

export const toldMaterial: Told = {
  tell: ({ after }, view) => {
    const material = entriesOf(after, "materials").at(-1) ?? {};
    const name = material.material_name || view.nameIn(material, "material_item_id");
    return `Job ${after.id}: material ${name ? `${name} ` : ""}added`;
  },
  learns: ({ after }) => ({ fields: ["material_item_id"], records: entriesOf(after, "materials").slice(-1) }),
};

const onTruck = (job: JsonObject, view: View) => {
  const truck = view.nameIn(job, "truck_id");
  return truck === null ? "" : `on ${truck}`;
};
