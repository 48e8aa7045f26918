import { isTimestamp } from "../../models/timestamps.ts";
import { unsafeCharacters as unsafe } from "../../runtime/unsafe-characters.ts";
import type { JsonValue } from "./answer.ts";

export type TimePrecision = "minute" | "second" | "exact";

const shortEscapes: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Escapes control characters as `\x1b`: the text is one line and cannot control the terminal. */
export function toVisible(text: string): string {
  return text.replace(unsafe, (char) => shortEscapes[char] ?? toEscape(char));
}

/** Escapes control characters as `\u001b`: the JSON document stays the same. */
export function toVisibleJson(json: string): string {
  return json.replace(unsafe, (char) => (char === "\n" ? char : `\\u${toHex(char, 4)}`));
}

export function toVisibleLines(text: string): string {
  return text.replace(unsafe, (char) => (char === "\n" ? char : toEscape(char)));
}

/** Yes or no, `–` for null, lists joined, objects as JSON. */
export function toCellText(value: JsonValue, precision: TimePrecision): string {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return toVisible(shortenTimestamp(value, precision));
  if (Array.isArray(value) && !value.some(isNested)) {
    return value.map((entry) => toCellText(entry, precision)).join(", ");
  }
  return toVisible(JSON.stringify(value));
}

export function isNested(value: JsonValue): value is Exclude<JsonValue, string | number | boolean | null> {
  return typeof value === "object" && value !== null;
}

function shortenTimestamp(text: string, precision: TimePrecision): string {
  if (precision === "exact" || !isTimestamp(text)) return text;
  // A date without a time is stored as midnight.
  if (/T00:00:00(?:\.0+)?$/.test(text)) return text.slice(0, 10);
  return `${text.slice(0, 10)} ${text.slice(11, precision === "minute" ? 16 : 19)}`;
}

function toEscape(char: string): string {
  return char < "\u0100" ? `\\x${toHex(char, 2)}` : `\\u${toHex(char, 4)}`;
}

function toHex(char: string, digits: number): string {
  return char.charCodeAt(0).toString(16).padStart(digits, "0");
}

export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
