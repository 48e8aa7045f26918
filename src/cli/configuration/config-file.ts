import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { platform } from "node:os";
import type { Command } from "commander";
import type { Node } from "yaml";
import { DispatchError, failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import { nearestWord } from "../../errors/nearest.ts";
import { toShellWord } from "../../runtime/shell-word.ts";
import type { CliContext } from "../context.ts";
import { findConfigName } from "../profiles/config-folder.ts";
import type { ConfigFault, ConfigScalar } from "./config-option.ts";

/** A configuration file as it was read: what it says, and who can read it. */
export interface ConfigFile {
  name: string;
  text: string;
  /** Others than its owner and group can read it. */
  isPublic: boolean;
}

/** A file has some twenty lines; it also has to fit into the environment of a process. */
const bytesMax = 64 * 1024;

/** Reads a file that nobody else may change. Throws a usage error. */
export function readConfigFile(name: string): ConfigFile {
  let bytes: Buffer;
  let mode: number;
  try {
    const file = openSync(name, "r");
    try {
      mode = fstatSync(file).mode;
      bytes = readAtMost(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw failure("usage", `${name} cannot be read: ${describeFileError(error, "there is no such file")}.`);
  }
  if (bytes.length > bytesMax)
    throw failure("usage", `${name} is no configuration: it has more than ${bytesMax / 1024} KiB.`);
  const hasModes = platform() !== "win32";
  if (hasModes && (mode & 0o002) !== 0)
    throw failure(
      "usage",
      `${name} is not used: everybody can change it. \`chmod o-w ${toShellWord(name)}\` mends that.`,
    );
  return { name, text: toText(name, bytes), isPublic: hasModes && (mode & 0o004) !== 0 };
}

function readAtMost(file: number): Buffer {
  const buffer = Buffer.alloc(bytesMax + 1);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(file, buffer, length, buffer.length - length, null);
    if (count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length);
}

function toText(name: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw failure("usage", `${name} is no configuration: it is not text in UTF-8.`);
  }
}

/** What a file says under one key. */
export interface ConfigEntry {
  key: string;
  /** undefined: what stands there is neither a value nor a list of values. */
  value: ConfigScalar | readonly ConfigScalar[] | null | undefined;
  /** The line where the key stands: `serve.yaml:3`. */
  place: string;
  /** Where the key stands, to the column: `serve.yaml:3:1`. */
  keyPlace: string;
  /** Where the value stands, to the column: `serve.yaml:3:7`. */
  valuePlace: string;
}

/** The entries of a configuration in YAML 1.2, and what is wrong with its form, each with its line and column. */
export async function parseConfigFile({
  name,
  text,
}: Pick<ConfigFile, "name" | "text">): Promise<{ entries: ConfigEntry[]; faults: string[] }> {
  if (isDeep(text)) return { entries: [], faults: [`${name} is no configuration: it is nested too deeply.`] };
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  // What follows the first fault is often its consequence. What the parser quotes could be a secret, and its advice is for programmers.
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) {
    const detail = `${placeOf(fault.pos[0])}: this is no YAML: ${fault.message.replace(/[:;] .*$/s, "")}.`;
    return { entries: [], faults: [detail] };
  }
  const faults: string[] = [];
  const { contents } = document;
  if (contents === null) return { entries: [], faults };
  if (!yaml.isMap(contents))
    return { entries: [], faults: [`${name}:1:1: a configuration is lines like \`port: 8080\`.`] };
  const offsetOf = (node: Node | null) => node?.range?.[0] ?? 0;
  const entries = contents.items.flatMap(({ key, value }): ConfigEntry[] => {
    const keyNode = key as Node;
    const valueNode = value as Node | null;
    const keyPlace = placeOf(offsetOf(keyNode));
    const place = keyPlace.replace(/:\d+$/, "");
    for (const node of [keyNode, valueNode])
      if (yaml.isAlias(node) || (yaml.isNode(node) && "anchor" in node && node.anchor !== undefined)) {
        faults.push(`${placeOf(offsetOf(node))}: anchors (&) and aliases (*) are not taken.`);
        return [];
      }
    const written = yaml.isScalar(keyNode) ? String(keyNode.value) : "";
    const valuePlace = valueNode?.range ? placeOf(offsetOf(valueNode)) : keyPlace;
    return [{ key: written, value: toValue(yaml, valueNode), place, keyPlace, valuePlace }];
  });
  return { entries, faults };
}

function toValue(yaml: typeof import("yaml"), node: Node | null): ConfigEntry["value"] {
  if (node === null) return null;
  if (yaml.isScalar(node)) return toScalar(node.value);
  if (!yaml.isSeq(node)) return undefined;
  const values = node.items.map((item) =>
    yaml.isScalar(item) ? (toScalar(item.value) ?? undefined) : undefined,
  );
  return values.every((value) => value !== undefined) ? values : undefined;
}

function toScalar(value: unknown): ConfigScalar | null | undefined {
  if (value === null) return null;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : undefined;
}

/** More than any configuration needs, and far less than the stack holds. */
const depthMax = 100;

/**
 * Whether lists stand in lists so deeply that the parser, which calls itself for each, could use up the stack: a regular
 * expression that is compiled near its end ends the process.
 */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = bracket === "[" || bracket === "{" ? depth + 1 : Math.max(0, depth - 1);
    if (depth > depthMax) return true;
  }
  return /(?:[-?:][ \t]+){100}/.test(text);
}

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
