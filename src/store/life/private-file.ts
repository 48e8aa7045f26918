import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { failure } from "../../errors/errors.ts";
import { writeNewPrivately } from "../../runtime/private-file.ts";

/** Makes an empty file that only its owner can read: a store holds webhook secrets. */
export function createPrivately(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeNewPrivately(file, "");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw failure("store_unreadable", `${file} cannot be made: ${reason}.`, null, error);
  }
}
