import type { Timestamp } from "../runtime/clock.ts";
import { text, timestamp } from "./fields.ts";
import { extension } from "./model.ts";

/** Off days of a driver or a truck, one absence at a time. */
export const absenceFields = {
  off_from: timestamp().describe("first day off; null with off_until: off already").meta(extension),
  off_reason: text(1, 200).describe("why it is off").meta(extension),
  off_until: timestamp().describe("last day off; null with off_from: until further notice").meta(extension),
};

export interface Absence {
  off_from: Timestamp | null;
  off_reason: string | null;
  off_until: Timestamp | null;
}

export const notOff: Absence = { off_from: null, off_reason: null, off_until: null };
