import { newestVersion } from "../../models/api-versions.ts";
import { toShellWord } from "../../runtime/shell-word.ts";
import type { Call } from "../copies.ts";

/** How the terminal calls the operation. */
export interface OperationCommand {
  /** The noun, the verb, and an option for an answer with all records, like the service's. */
  words: string;
  /** The path parameter that is the argument. */
  ownId: string | null;
  /** The options, such as --truck, by part and name, such as `body.truck_id`. */
  options: Readonly<Record<string, string>>;
  takesDryRun: boolean;
}

type Part = "params" | "query" | "body";

/** Values that no option takes, such as objects, are in the JSON on standard input. */
export function toOperationCommand(
  serviceUrl: string,
  { body, isDryRun, tenantId, version }: Call,
  { options, ownId, takesDryRun, words }: OperationCommand,
  values: Readonly<Record<Part, Record<string, unknown>>>,
): string {
  const given = (["params", "query", "body"] as const).flatMap((part) =>
    Object.entries(values[part]).map(([name, value]) => ({
      name,
      option: options[`${part}.${name}`],
      part,
      text: toOptionText(value),
      value,
    })),
  );
  const asOptions = given.flatMap(({ option, text }) =>
    option === undefined || text === null ? [] : [`${option} ${toShellWord(text)}`],
  );
  const others = given.filter(
    ({ option, part, text }) => part === "body" && (option === undefined || text === null),
  );
  const own = ownId === null ? undefined : values.params[ownId];
  const isOlder = version !== newestVersion;
  // A webhook's own option has the name --api-version.
  const isVersionTaken = Object.values(options).includes("--api-version");
  const command = [
    ...(isOlder && isVersionTaken ? [`DISPATCH_API_VERSION=${version}`] : []),
    `dispatch-cli ${words}`,
    ...(own === undefined ? [] : [toShellWord(String(own))]),
    ...asOptions,
    ...(others.length > 0 ? ["--body -"] : []),
    `--url ${toShellWord(serviceUrl)}`,
    `--tenant ${tenantId}`,
    ...(isOlder && !isVersionTaken ? [`--api-version ${version}`] : []),
    ...(isDryRun && takesDryRun ? ["--dry-run"] : []),
  ].join(" ");
  if (body === null || others.length === 0) return command;
  const rest = JSON.stringify(Object.fromEntries(others.map(({ name, value }) => [name, value])));
  return `printf %s ${toShellWord(rest)} |\n  ${command}`;
}

/** null for a value that the option would read as another one. */
function toOptionText(value: unknown): string | null {
  if (Array.isArray(value)) {
    const texts = value.map(toOptionText);
    return texts.every((text) => text !== null && !text.includes(",")) && texts.length > 0
      ? texts.join(",")
      : null;
  }
  // At a terminal, a time without a zone is local.
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(value)) return `${value}Z`;
  if (typeof value === "string") return /^(?:|@.*|none|null)$/is.test(value) ? null : value;
  return typeof value === "object" ? null : String(value);
}
