import { failure } from "../../errors/errors.ts";
import type { PostgresAddress } from "./address.ts";

/** All statements rely on these. A pooler in transaction mode needs them in each transaction. */
export function toSessionSettings(address: PostgresAddress): ReadonlyMap<string, string> {
  const { options, schema, statementTimeoutMs } = address;
  return new Map([
    ["idle_in_transaction_session_timeout", "60000"],
    ["statement_timeout", String(statementTimeoutMs)],
    ...parseOptions(options),
    ["datestyle", "ISO"],
    // Statements outside of a tenant's transaction concern the whole store; see migrations/postgres-parts.ts.
    ["dispatch.all_tenants", "on"],
    ...(schema === null ? [] : ([["search_path", schema]] as const)),
  ]);
}

/** An SQL expression. Each schema has its own notification channel. */
export const channelName = "(select 'dispatch_' || oid from pg_namespace where nspname = current_schema())";

/** An SQL expression for an advisory lock, which belongs to the whole database: each schema has its own keys. */
export const toLockKey = (key: bigint, schema = "current_schema()") => `hashtextextended(${schema}, ${key})`;

export const relaxedCommit = "set local synchronous_commit = off";

export function toStartupOptions(settings: ReadonlyMap<string, string>): string {
  return Array.from(settings, ([name, value]) => `-c ${name}=${value.replace(/[\s\\]/g, "\\$&")}`).join(" ");
}

export function toLocalSettings(settings: ReadonlyMap<string, string>): string {
  const calls = Array.from(
    settings,
    ([name, value]) => `set_config(${toLiteral(name)}, ${toLiteral(value)}, true)`,
  );
  return `select ${calls.join(", ")}`;
}

function toLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes("\\") ? `E${quoted.replaceAll("\\", "\\\\")}` : quoted;
}

/** Parses `-c name=value --name=value`. As in PostgreSQL, a backslash escapes a space. */
function parseOptions(options: string): [name: string, value: string][] {
  const words = options.match(/(?:\\.|[^\s\\])+/gs) ?? [];
  const text = words.map((word) => word.replace(/\\(.)/gs, "$1"));
  const settings: [string, string][] = [];
  for (let at = 0; at < text.length; at++) {
    const word = text[at] ?? "";
    const given = word === "-c" ? text[++at] : /^(?:-c|--)(.+)$/s.exec(word)?.[1];
    const [, name, value] = /^([\w.-]+)=(.*)$/s.exec(given ?? "") ?? [];
    if (name === undefined || value === undefined)
      throw failure(
        "usage",
        'The parameter options of the address in --data (or of its service, or PGOPTIONS) must be settings like "-c search_path=dispatch".',
      );
    settings.push([name.replaceAll("-", "_").toLowerCase(), value]);
  }
  return settings;
}
