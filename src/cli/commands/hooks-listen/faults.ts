import { failure } from "../../../errors/errors.ts";
import { parseDuration } from "../../input/option-values.ts";

export interface Faults {
  /** Delay of each attempt. */
  slowMs: number;
  /** The chance (0 to 1) that an attempt fails unsent. */
  fail: number;
  /** The chance (0 to 1) that an accepted delivery is sent again. */
  duplicate: number;
  /** Sends the later of two waiting events first. */
  reorder: boolean;
}

export function parseFaults(text: string | undefined): Faults {
  const faults: Faults = { slowMs: 0, fail: 0, duplicate: 0, reorder: false };
  if (text === undefined) return faults;
  for (const part of text.split(",")) {
    const [name, value = ""] = part.trim().split("=", 2);
    if (name === "slow") faults.slowMs = parseDuration(value, "--inject slow");
    else if (name === "fail" || name === "duplicate") faults[name] = parseChance(value, name);
    else if (name === "reorder" && value === "") faults.reorder = true;
    else
      throw failure(
        "usage",
        `--inject takes slow=2s, fail=20%, duplicate=5% and reorder, separated by commas, not "${part}".`,
      );
  }
  return faults;
}

function parseChance(text: string, name: string): number {
  const [, percent] = /^(\d{1,3})%$/.exec(text) ?? [];
  if (percent !== undefined && Number(percent) <= 100) return Number(percent) / 100;
  throw failure("usage", `--inject ${name} must be 0% to 100%, not "${text}".`);
}

/** The cursor advances when all events of a group are done. */
export function toGroups<T>(events: readonly T[], { reorder }: Faults): T[][] {
  if (!reorder) return events.map((event) => [event]);
  const groups: T[][] = [];
  for (let at = 0; at < events.length; at += 2) groups.push(events.slice(at, at + 2).reverse());
  return groups;
}
