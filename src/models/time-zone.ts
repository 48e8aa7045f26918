import { defineField, refuse } from "./fields.ts";

/** A name of the tz database, in any letter case. */
export function timeZone() {
  const schema = { type: "string", maxLength: 64, examples: ["America/Denver"] };
  return defineField<string>({ name: "text", input: schema, output: schema }, (value) => {
    if (typeof value !== "string") return refuse("wrong_type", "must be text");
    const known = findTimeZone(value);
    if (known === null)
      return refuse("invalid_format", "must be a time zone of the tz database, like America/Denver or UTC");
    const zone = zoneWithSummerTime(known);
    return zone === null
      ? { value: known }
      : refuse("invalid_format", `must not be ${known}, which ignores daylight saving time: use ${zone}`);
  });
}

/** The zone with daylight saving time that people mean; null for other names. */
export function zoneWithSummerTime(name: string): string | null {
  return withSummerTime[name.toUpperCase()] ?? null;
}

const withSummerTime: Readonly<Record<string, string>> = {
  EST: "America/New_York",
  MST: "America/Denver, or America/Phoenix for Arizona",
};

/** In the usual letter case; null for other texts. */
export function findTimeZone(text: string): string | null {
  // Some versions of Node.js also accept offsets such as +01:00, which have no daylight saving time.
  if (!/^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/.test(text)) return null;
  try {
    const { timeZone: name } = new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions();
    // Some versions of Node.js resolve renamed zones such as Asia/Kolkata to the older name.
    return name.toLowerCase() === text.toLowerCase() ? name : text;
  } catch {
    return null;
  }
}

/** From the machine's settings or TZ. */
export function machineTimeZone(): string {
  return findTimeZone(new Intl.DateTimeFormat("en").resolvedOptions().timeZone) ?? "UTC";
}
