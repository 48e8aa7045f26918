import { failure } from "../../../errors/errors.ts";

/** Reads the values of `--map`, `column=field`, as column → field. Throws a usage error for what is none. */
export function parseMapped(words: readonly string[]): Map<string, string> {
  return new Map(
    words.map((word) => {
      const at = word.lastIndexOf("=");
      if (at < 1 || at === word.length - 1)
        throw failure(
          "usage",
          `--map takes column=field, like --map "Customer No=reference_number", not "${word}".`,
        );
      return [word.slice(0, at), word.slice(at + 1)] as const;
    }),
  );
}
