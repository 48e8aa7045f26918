import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { judgeModes } from "./file-checks.ts";
import type { Finding } from "./finding.ts";

/**
 * Looks at the files that keep settings and tokens: those of a folder, and others by name. A missing file is no finding.
 */
export function diagnoseSettings(folder: string, others: readonly string[]): Finding {
  const files = [...filesIn(folder), ...others].flatMap((path) => {
    const status = statSync(path, { throwIfNoEntry: false });
    return status?.isFile() ? [{ path, mode: status.mode & 0o7777 }] : [];
  });
  return { check: "settings", ...judgeModes(files) };
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
