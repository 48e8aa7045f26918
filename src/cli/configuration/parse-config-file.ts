import type { Node } from "yaml";
import type { ConfigScalar } from "./config-option.ts";
import type { ConfigFile } from "./read-config-file.ts";

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
