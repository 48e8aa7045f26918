import type { ParsedCommand } from "./parse.ts";

/** Whether a person is told in one line what the command did; who wants the record asks for it. */
export function isTold({ operation, options, output }: ParsedCommand): boolean {
  if (operation.effect !== "write" && operation.effect !== "delete") return false;
  if (output?.form !== "table" || output.fields !== null) return false;
  return !options.show && !options.allFields && !options.etag;
}
