import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { askKey } from "../../../../src/cli/commands/find/ask-key.ts";
import type { CliContext } from "../../../../src/cli/context.ts";

it.each([
  ["a key", (stdin: PassThrough) => stdin.write("j"), "j"],
  ["the end of the input", (stdin: PassThrough) => stdin.end(), ""],
])("removes all its listeners after %s", async (_, type, key) => {
  const stdin = new PassThrough();
  const before = stdin.eventNames();
  // The cast is safe: askKey uses only the two streams.
  const asked = askKey({ stderr: new PassThrough(), stdin } as unknown as CliContext, "?");
  type(stdin);
  expect(await asked).toBe(key);
  expect(stdin.eventNames()).toEqual(before);
});
