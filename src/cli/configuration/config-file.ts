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

export interface ConfigFile {
  name: string;
  text: string;
  isPublic: boolean;
}

/** A file has about twenty lines, and its text must fit into an environment variable. */
const bytesMax = 64 * 1024;

/** Throws a usage error, also for a file that other users can change. */
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
    throw failure("usage", `${name} is not a configuration file: it is larger than ${bytesMax / 1024} KiB.`);
  const hasModes = platform() !== "win32";
  if (hasModes && (mode & 0o002) !== 0)
    throw failure(
      "usage",
      `${name} is not used: every user can change it. Fix it with \`chmod o-w ${toShellWord(name)}\`.`,
    );
  return { name, text: decodeText(name, bytes), isPublic: hasModes && (mode & 0o004) !== 0 };
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

function decodeText(name: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw failure("usage", `${name} is not a configuration file: it is not UTF-8 text.`);
  }
}

export interface ConfigEntry {
  key: string;
  /** undefined for anything but a value or a list. */
  value: ConfigScalar | readonly ConfigScalar[] | null | undefined;
  /** The line of the key: `serve.yaml:3`. */
  place: string;
  /** The position of the key: `serve.yaml:3:1`. */
  keyPlace: string;
  /** The position of the value: `serve.yaml:3:7`. */
  valuePlace: string;
}

/** Parses YAML 1.2. Faults have line and column. */
export async function parseConfigFile({
  name,
  text,
}: Pick<ConfigFile, "name" | "text">): Promise<{ entries: ConfigEntry[]; faults: string[] }> {
  if (isDeep(text))
    return { entries: [], faults: [`${name} is not a configuration file: it is nested too deeply.`] };
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  // Later faults often follow from the first. The parser's message could quote a secret.
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) {
    const detail = `${placeOf(fault.pos[0])}: invalid YAML: ${fault.message.replace(/[:;] .*$/s, "")}.`;
    return { entries: [], faults: [detail] };
  }
  const faults: string[] = [];
  const { contents } = document;
  if (contents === null) return { entries: [], faults };
  if (!yaml.isMap(contents))
    return { entries: [], faults: [`${name}:1:1: expected lines like \`port: 8080\`.`] };
  const offsetOf = (node: Node | null) => node?.range?.[0] ?? 0;
  const entries = contents.items.flatMap(({ key, value }): ConfigEntry[] => {
    const keyNode = key as Node;
    const valueNode = value as Node | null;
    const keyPlace = placeOf(offsetOf(keyNode));
    const place = keyPlace.replace(/:\d+$/, "");
    for (const node of [keyNode, valueNode])
      if (yaml.isAlias(node) || (yaml.isNode(node) && "anchor" in node && node.anchor !== undefined)) {
        faults.push(`${placeOf(offsetOf(node))}: anchors (&) and aliases (*) are not supported.`);
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

/** More than a configuration needs, and less than the stack holds. */
const depthMax = 100;

/** Deep brackets could exhaust the stack of the recursive parser. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = bracket === "[" || bracket === "{" ? depth + 1 : Math.max(0, depth - 1);
    if (depth > depthMax) return true;
  }
  return /(?:[-?:][ \t]+){100}/.test(text);
}

/** A supervisor passes its file's text to its processes in this variable, as JSON, which is also YAML. */
export const givenFileVariable = "DISPATCH_GIVEN_CONFIG";

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

/** Known keys that occur once. */
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
    if (earlier) refuse(`${keyPlace}: duplicate key ${key}; the first is at ${earlier.place}.`);
    else if (keys.includes(key)) found.set(key, entry);
    else refuse(`${keyPlace}: ${toUnknownKey(key, keys)}`);
  }
  return found;
}

/** An unknown key could be a secret, so only a text that looks like a key is repeated. */
function toUnknownKey(key: string, keys: readonly string[]): string {
  if (!/^[\w-]{1,40}$/.test(key)) return "expected a line like `port: 8080`.";
  const plain = key.replaceAll("-", "_").toLowerCase();
  const [, negated = ""] = /^no_(.+)$/.exec(plain) ?? [];
  if (keys.includes(negated)) return `unknown key ${key}. Write \`${negated}: false\`.`;
  const nearest = nearestWord(plain, keys);
  return `unknown key ${key}.${nearest === null ? "" : ` Did you mean ${nearest}?`}`;
}
