import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import envPaths from "env-paths";
import { isPostgresAddress } from "../../store/postgres/address.ts";
import type { CliContext } from "../context.ts";
import { configFolder } from "./config-folder.ts";

/** The store that was made last, which commands work on where nothing names another (OP-222). */
export interface LastStore {
  /** A whole path, or an address. */
  data: string;
  madeBy: "demo" | "init";
  /** The tenant that is meant where none is named; null: the only one. */
  tenant: string | null;
  /** A command has told already that it works there. */
  isTold: boolean;
}

/** The name of the file that tells of it, beside the profiles. */
export const lastStoreName = "last-store";

/** The store that a command uses when none is named and none was made elsewhere. */
export function defaultStore(file = "dispatch.db"): string {
  return `${envPaths("dispatch-cli", { suffix: "" }).data}/${file}`;
}

/**
 * The store that `demo` or `init` made last; null when nothing tells of one, and while there is another store in the
 * default's place: whoever has that one works there.
 */
export function findLastStore(context: Pick<CliContext, "env">): LastStore | null {
  const { data, made_by, tenant, told } = readFacts(join(configFolder(context), `${lastStoreName}.json`));
  if (typeof data !== "string" || (made_by !== "demo" && made_by !== "init")) return null;
  const last = {
    data,
    madeBy: made_by,
    tenant: typeof tenant === "string" ? tenant : null,
    isTold: told === "yes",
  } as const;
  // Of a store in the default's own place there is nothing to say but which tenant is meant.
  const isDefault = existsSync(defaultStore()) && (data !== defaultStore() || last.tenant === null);
  return isDefault ? null : last;
}

/** Whether it was a file that is not there any more. */
export function isGone({ data }: LastStore): boolean {
  return !isPostgresAddress(data) && !existsSync(data);
}

/** What the file holds; a missing or damaged one holds nothing, for it is a convenience only. */
function readFacts(file: string): Readonly<Record<string, unknown>> {
  try {
    const facts: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof facts === "object" && facts !== null ? { ...facts } : {};
  } catch {
    return {};
  }
}
