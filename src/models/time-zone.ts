import { defineField, refuse } from "./fields.ts";

/** A time zone by its name in the tz database, in any letter case. */
export function timeZone() {
  const schema = { type: "string", maxLength: 64, examples: ["America/Denver"] };
  return defineField<string>({ name: "text", input: schema, output: schema }, (value) => {
    if (typeof value !== "string") return refuse("wrong_type", "must be text");
    const known = findTimeZone(value);
    return known === null
      ? refuse("invalid_format", "must be a time zone of the tz database, like America/Denver or UTC")
      : { value: known };
  });
}

/** The name of a time zone in its usual letter case; null for a text that names none. */
export function findTimeZone(text: string): string | null {
  // Offsets such as +01:00 are taken by some versions of Node.js only, and say nothing of summer time.
  if (!/^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/.test(text)) return null;
  try {
    const { timeZone: name } = new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions();
    // Names that changed, such as Asia/Kolkata, are resolved to an older one by some versions of Node.js.
    return name.toLowerCase() === text.toLowerCase() ? name : text;
  } catch {
    return null;
  }
}

/** The zone of this machine, from its settings or TZ. */
export function machineTimeZone(): string {
  return findTimeZone(new Intl.DateTimeFormat("en").resolvedOptions().timeZone) ?? "UTC";
}
