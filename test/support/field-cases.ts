/**
 * Tables of the values that a field accepts and refuses, to run against an operation. `undefined` leaves the field
 * out.
 */
export interface FieldCases {
  /** The rule in words. */
  rule: string;
  taken: readonly TakenCase[];
  refused: readonly RefusedCase[];
}

/** A value, and what the answer contains for it. */
type TakenCase = readonly [value: unknown, shown: unknown];
type RefusedCase = readonly [value: unknown, code: string];

const same = (...values: unknown[]): TakenCase[] => values.map((value) => [value, value]);

const refuse = (code: string, ...values: unknown[]): RefusedCase[] => values.map((value) => [value, code]);

// Two UTF-16 units, four bytes, one code point.
const wide = "😀";

/** Values that are not text. `optional` and `required` cover null and absent fields. */
const noTexts = [1, 0, true, false, [], {}, ["a"]];

/** Text with limits in code points, stored untrimmed. */
export function text(min: number, max: number): FieldCases {
  return {
    rule: `text of ${min} to ${max} code points`,
    taken: same(
      "a".repeat(max),
      wide.repeat(max),
      ...(min > 0 ? ["a".repeat(min), wide.repeat(min)] : [""]),
      ...(max >= 8 ? ['  <"\\/>\t\n'.slice(0, max)] : []),
    ),
    refused: [
      ...(min > 0 ? refuse("too_short", "a".repeat(min - 1)) : []),
      ...(min > 1 ? refuse("too_short", wide.repeat(min - 1)) : []),
      ...refuse("too_long", "a".repeat(max + 1), wide.repeat(max + 1)),
      ...refuse("wrong_type", ...noTexts),
      ...refuse("invalid_text", "\u0000".repeat(Math.max(1, min)), "a\ud800b", "a\udc00b"),
    ],
  };
}

/** Text of a certain format. */
export function formed(rule: string, taken: readonly string[], refused: readonly string[]): FieldCases {
  return {
    rule,
    taken: same(...taken),
    refused: [...refuse("invalid_format", ...refused), ...refuse("wrong_type", 1, true, [], {})],
  };
}

/** One of several words, case-sensitive. */
export function choice(words: readonly string[], refused: readonly string[]): FieldCases {
  return {
    rule: `one of ${words.join(", ")}`,
    taken: same(...words),
    refused: [...refuse("invalid_choice", ...refused), ...refuse("wrong_type", 1, true, [], {})],
  };
}

/** Integer within inclusive bounds, strictly typed. */
export function integer(
  min: number = Number.MIN_SAFE_INTEGER,
  max: number = Number.MAX_SAFE_INTEGER,
): FieldCases {
  return {
    rule: `Integers from ${min} to ${max}`,
    taken: same(min, max),
    refused: [
      ...refuse("too_small", min - 1),
      ...refuse("too_big", max + 1),
      ...refuse("wrong_type", min + 0.5, String(min), "1", "", true, false, [], {}),
    ],
  };
}

/** An id from another system, stored as given. */
export const foreignInteger: FieldCases = {
  rule: "Integers within ±(2^53 − 1)",
  taken: same(Number.MIN_SAFE_INTEGER, -1, 0, 1, Number.MAX_SAFE_INTEGER),
  refused: [
    ...refuse("too_small", Number.MIN_SAFE_INTEGER - 1),
    ...refuse("too_big", Number.MAX_SAFE_INTEGER + 1),
    ...refuse("wrong_type", 1.5, "1", "", true, [], {}),
  ],
};

/** The id of a record: covers only what the service refuses before the lookup. */
export const id: FieldCases = {
  rule: "identifiers",
  taken: [],
  refused: [
    ...refuse("too_small", 0, -1),
    ...refuse("too_big", Number.MAX_SAFE_INTEGER + 1),
    ...refuse("wrong_type", 1.5, "1", "", true, [], {}),
  ],
};

/** Float within inclusive bounds. */
export function number(min: number, max: number): FieldCases {
  return {
    rule: `numbers from ${min} to ${max}`,
    taken: same(min, max, 0.5, 1),
    refused: [
      ...refuse("too_small", min - 0.000001),
      ...refuse("too_big", max + 0.000001),
      ...refuse("wrong_type", "1", "", true, false, [], {}),
    ],
  };
}

/** All forms of the interface's Boolean. Answers contain JSON booleans. */
export const boolean: FieldCases = {
  rule: "0, 1, true and false in every form",
  taken: [
    ...[true, 1, "1", "true", "True", "TRUE", "tRuE"].map((value) => [value, true] as const),
    ...[false, 0, "0", "false", "False", "FALSE", "fAlSe"].map((value) => [value, false] as const),
  ],
  refused: refuse("wrong_type", 2, -1, 0.5, "2", "", " true", "yes", "no", "t", "null", [], {}, [true]),
};

const dates: TakenCase[] = [
  ["2026-11-20", "2026-11-20T00:00:00.000000"],
  ["2026-11-20T08:30:00Z", "2026-11-20T08:30:00.000000"],
  ["2026-11-20 08:30", "2026-11-20T08:30:00.000000"],
  ["20261120T083000,25+0200", "2026-11-20T06:30:00.250000"],
  ["2026-W47-5T10:00:00.1234567-03:30", "2026-11-20T13:30:00.123456"],
  ["2026-324", "2026-11-20T00:00:00.000000"],
];

const noDates = [
  ...refuse(
    "invalid_date",
    "",
    "soon",
    "2026-11",
    "2026-02-30",
    "2026-11-20T25:00:00",
    "20.11.2026",
    "1763726400",
  ),
  ...refuse("wrong_type", 1763726400, 0, true, [], {}),
];

/** Any date. */
export const date: FieldCases = {
  rule: "ISO 8601 dates, past and future",
  taken: [
    ...dates,
    ["0001-01-01", "0001-01-01T00:00:00.000000"],
    ["9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999"],
  ],
  refused: noDates,
};

/** A date up to the time of the harness's clock: noon on 2026-11-21. */
export const pastDate: FieldCases = {
  rule: "ISO 8601 dates up to now",
  taken: [
    ...dates,
    ["2026-11-21", "2026-11-21T00:00:00.000000"],
    ["2026-11-21T13:00:00+01:00", "2026-11-21T12:00:00.000000"],
  ],
  refused: [
    ...noDates,
    ...refuse("not_past", "2026-11-21T12:00:00.000001", "2026-11-21T12:00:00-01:00", "2026-11-22"),
  ],
};

/** A date after the harness's clock. */
export const futureDate: FieldCases = {
  rule: "ISO 8601 dates later than now",
  taken: [
    ["2026-11-21T12:00:00.000001", "2026-11-21T12:00:00.000001"],
    ["2026-11-22", "2026-11-22T00:00:00.000000"],
    ["2026-W48-1T08:00Z", "2026-11-23T08:00:00.000000"],
  ],
  refused: [...noDates, ...refuse("not_future", "2026-11-21T12:00:00", "2026-11-21", "2026-11-20")],
};

/** An optional field: if it is absent or null, the answer contains `unset`. */
export function optional(cases: FieldCases, unset: unknown = null): FieldCases {
  return { ...cases, taken: [...cases.taken, [null, unset], [undefined, unset]] };
}

/** Makes each of several fields optional, without a default. */
export function allOptional(fields: Readonly<Record<string, FieldCases>>): Record<string, FieldCases> {
  return Object.fromEntries(Object.entries(fields).map(([name, cases]) => [name, optional(cases)]));
}

/** A required field: absent and null are violations. */
export function required(cases: FieldCases): FieldCases {
  return { ...cases, refused: [...cases.refused, ...refuse("missing_value", null, undefined)] };
}
