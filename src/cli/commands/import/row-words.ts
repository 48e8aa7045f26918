import type { RowWords } from "../../../sync/rows/row-file.ts";

/** The words of messages about rows, with the options of `import`. */
export const rowWords: RowWords = {
  map: "--map",
  onUnknownColumn: "--map column=field names another one so; --ignore-unknown passes the others over.",
  onEmptyKey: "Give it one, match rows by another field with --key, or pass --create-without-key.",
  onWrongEncoding: "pass --encoding windows-1252",
};
