import { failure } from "../../../errors/errors.ts";

/** Reads the values of `--map`, `column=field`, as column → field. Throws a usage error for what is none. */
export function parseMapped(words: readonly string[]): Map<string, string> {
  return parsePairs(
    words,
    (word) => word.lastIndexOf("="),
    '--map takes column=field, like --map "Customer No=reference_number"',
  );
}

/** Reads the values of `--set`, `field=value`, as field → value. Throws a usage error for what is none. */
export function parseSet(words: readonly string[]): Map<string, string> {
  return parsePairs(words, (word) => word.indexOf("="), "--set takes field=value, like --set country=US");
}

function parsePairs(
  words: readonly string[],
  split: (word: string) => number,
  how: string,
): Map<string, string> {
  return new Map(
    words.map((word) => {
      const at = split(word);
      if (at < 1 || at === word.length - 1) throw failure("usage", `${how}, not "${word}".`);
      return [word.slice(0, at), word.slice(at + 1)] as const;
    }),
  );
}
