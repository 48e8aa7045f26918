import { durationPattern, readDuration } from "../runtime/duration.ts";
import { boolean, choice, defineField, integer, refuse, text, timestamp } from "./fields.ts";
import { allOptional, defineModel, list, nullable } from "./model.ts";

/** `stays` describes rows that never expire. */
interface RetentionKind {
  about: string;
  keptFor: string;
  stays: string;
}

export const retentionRules = {
  audit: { about: "who changed what", keptFor: "forever", stays: "" },
  chats: { about: "messages between drivers and dispatchers", keptFor: "forever", stays: "" },
  deliveries: {
    about: "deliveries of webhooks with their attempts",
    keptFor: "30d",
    stays:
      "a pending delivery stays, with the other deliveries of its event; an event is removed with its deliveries",
  },
  events: {
    about: "what happened to records, with their deliveries",
    keptFor: "30d",
    stays: "an event stays while one of its deliveries is pending or ended within the time",
  },
  gps: { about: "where drivers were", keptFor: "forever", stays: "each truck's last position stays" },
} as const satisfies Record<string, RetentionKind>;

export type Retained = keyof typeof retentionRules;

// The keys of an object literal, in its order.
export const retentionKinds = Object.keys(retentionRules) as Retained[];

/** In a rule: nothing is removed. */
export const keptForEver = "forever";

/** In a change: restores the default. */
const byDefault = "default";

const dayMs = 86_400_000;
const keptMsMin = 1000;
const keptMsMax = 36_500 * dayMs;

function rule() {
  const pattern = `^(${keptForEver}|${byDefault}|${durationPattern.replace(/^\^|\$$/g, "")})$`;
  const schema = { type: "string", pattern, examples: ["30d"] };
  return defineField<string>({ name: "text", input: schema, output: schema }, (value) => {
    if (typeof value !== "string") return refuse("wrong_type", "must be text, like 30d");
    if (value === keptForEver || value === byDefault) return { value };
    const ms = readDuration(value, keptMsMax);
    return ms === null || ms < keptMsMin
      ? refuse(
          "invalid_format",
          `must be a time from 1s to 36500d like 12h or 30d, or ${keptForEver}, or ${byDefault}`,
        )
      : { value };
  });
}

/** In milliseconds; null for ever. */
export function toKeptMs(keptFor: string): number | null {
  return keptFor === keptForEver ? null : readDuration(keptFor, keptMsMax);
}

/** null restores the default. */
export const toStoredRule = (given: string): string | null => (given === byDefault ? null : given);

export const RetentionModel = defineModel("RetentionModel", {
  applied_on: nullable(timestamp("past").describe("when no due rows were left")),
  due: integer(0).describe("rows older than the rule; counted to 100,000"),
  is_default: boolean().describe("false when the tenant has a rule of its own"),
  kept_for: text(1, 16).describe("a time like 30d, or forever"),
  kind: choice(retentionKinds).describe("the kind of rows that the rule is for"),
  oldest_on: nullable(timestamp("past").describe("the oldest row there is")),
  removed: integer(0).describe("rows removed so far"),
  removed_on: nullable(timestamp("past").describe("when rows were last removed")),
  rows: integer(0).describe("counted to 10,000,000"),
});

/** A bare array with one entry per kind. */
export const RetentionList = list(RetentionModel);

const changedRules = allOptional(
  Object.fromEntries(
    retentionKinds.map((kind) => [kind, rule().describe(retentionRules[kind].about)]),
  ) as Record<Retained, ReturnType<typeof rule>>,
);

export const UpdateRetentionModel = defineModel("UpdateRetentionModel", changedRules, { minProperties: 1 });

export const ApplyRetentionModel = defineModel("ApplyRetentionModel", {
  kinds: list(choice(retentionKinds), { min: 1, max: retentionKinds.length, distinct: true }).describe(
    "the rules to apply",
  ),
});

export const AppliedRetentionModel = defineModel("AppliedRetentionModel", {
  ...(Object.fromEntries(
    retentionKinds.map((kind) => [kind, integer(0).describe(`rows removed: ${retentionRules[kind].about}`)]),
  ) as Record<Retained, ReturnType<typeof integer>>),
  erasures: integer(0).describe("finished erasures"),
  is_waiting: boolean().describe("an erasure waits for a delivery under way"),
  is_done: boolean().describe("false: there may be more to remove or to erase; call again"),
});
