import type { Command } from "commander";
import { DispatchError } from "../../errors/errors.ts";
import { nearestWord } from "../../errors/nearest.ts";
import type { CliContext } from "../context.ts";
import { findConfigName } from "../profiles/config-name.ts";
import type { ConfigFault } from "./option-ways.ts";
import { type ConfigEntry, parseConfigFile } from "./parse-config-file.ts";
import { type ConfigFile, readConfigFile } from "./read-config-file.ts";

/** The variable in which a supervisor hands its processes what it read of its file, as JSON, which is YAML. */
export const givenFileVariable = "DISPATCH_GIVEN_CONFIG";

/** The entries of the file of --config or DISPATCH_CONFIG by their keys; what is wrong with the file is added to `faults`. */
export async function readEntries(
  context: CliContext,
  command: Command,
  keys: readonly string[],
  faults: ConfigFault[],
): Promise<{ entries: ReadonlyMap<string, ConfigEntry>; file: ConfigFile | null }> {
  const named: string | undefined = command.getOptionValue("config");
  const name = named ?? findConfigName(context);
  if (name === null) return { entries: new Map(), file: null };
  try {
    const given = context.env[givenFileVariable];
    const file = given === undefined ? readConfigFile(name) : { name, text: given, isPublic: false };
    const { entries, faults: others } = await parseConfigFile(file);
    faults.push(...others.map((detail) => ({ detail, origin: "file" as const })));
    return { entries: byKey(entries, keys, faults), file };
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    faults.push({ detail: error.violations[0].detail, origin: "file" });
    return { entries: new Map(), file: null };
  }
}

/** The entries by their keys, of those that are known and stand there once. */
function byKey(
  entries: readonly ConfigEntry[],
  keys: readonly string[],
  faults: ConfigFault[],
): ReadonlyMap<string, ConfigEntry> {
  const found = new Map<string, ConfigEntry>();
  const refuse = (detail: string) => faults.push({ detail, origin: "file" });
  for (const entry of entries) {
    const { key, keyPlace } = entry;
    const earlier = found.get(key);
    if (earlier) refuse(`${keyPlace}: ${key} stands there twice, first at ${earlier.place}.`);
    else if (keys.includes(key)) found.set(key, entry);
    else refuse(`${keyPlace}: ${toUnknownKey(key, keys)}`);
  }
  return found;
}

/** A key that is none of ours could be a line of anything, a secret too; only what looks like a name is repeated. */
function toUnknownKey(key: string, keys: readonly string[]): string {
  if (!/^[\w-]{1,40}$/.test(key)) return "this is no line like `port: 8080`.";
  const plain = key.replaceAll("-", "_").toLowerCase();
  const [, negated = ""] = /^no_(.+)$/.exec(plain) ?? [];
  if (keys.includes(negated)) return `there is no key ${key}. Write \`${negated}: false\`.`;
  const nearest = nearestWord(plain, keys);
  return `there is no key ${key}.${nearest === null ? "" : ` Did you mean ${nearest}?`}`;
}
