import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import envPaths from "env-paths";
import { isPostgresAddress } from "../../store/postgres/address.ts";
import type { CliContext } from "../context.ts";
import { configFolder } from "./config-folder.ts";

/** Commands without a target use it. */
export interface LastStore {
  /** An absolute path, or an address. */
  data: string;
  madeBy: "demo" | "init";
  /** null: the only tenant. */
  tenant: string | null;
  /** A command has already reported that it uses this store. */
  isTold: boolean;
}

export const lastStoreName = "last-store";

/** The default store of a command. */
export function defaultStore(file = "dispatch.db"): string {
  return `${envPaths("dispatch-cli", { suffix: "" }).data}/${file}`;
}

/** null without one, or if another store exists at the default path. */
export function findLastStore(context: Pick<CliContext, "env">): LastStore | null {
  const { data, made_by, tenant, told } = readFacts(join(configFolder(context), `${lastStoreName}.json`));
  if (typeof data !== "string" || (made_by !== "demo" && made_by !== "init")) return null;
  const last = {
    data,
    madeBy: made_by,
    tenant: typeof tenant === "string" ? tenant : null,
    isTold: told === "yes",
  } as const;
  // For a store at the default path only the tenant matters.
  const isDefault = existsSync(defaultStore()) && (data !== defaultStore() || last.tenant === null);
  return isDefault ? null : last;
}

export function isGone({ data }: LastStore): boolean {
  return !isPostgresAddress(data) && !existsSync(data);
}

/** A missing or damaged file counts as empty: it is only a convenience. */
function readFacts(file: string): Readonly<Record<string, unknown>> {
  try {
    const facts: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof facts === "object" && facts !== null ? { ...facts } : {};
  } catch {
    return {};
  }
}
