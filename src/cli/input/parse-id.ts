import { failure } from "../../errors/errors.ts";

/** The id that an option names. Throws a usage error for anything but a whole number from 1. */
export function parseId(value: unknown, option: string): number {
  if (typeof value === "string" && /^[1-9]\d{0,14}$/.test(value)) return Number(value);
  throw failure("usage", `${option} must be an id, a whole number from 1, not "${value}".`);
}
