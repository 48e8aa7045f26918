import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Creates a folder that exists until the tests of the file end. */
export function useTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "dispatch-cli-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
