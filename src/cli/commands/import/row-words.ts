import type { RowWords } from "../../../sync/rows/row-file.ts";

export const rowWords: RowWords = {
  map: "--map",
  onUnknownColumn: "Map a column with --map column=field, or ignore such columns with --ignore-unknown.",
  onEmptyKey: "Give it one, match rows by another field with --key, or pass --create-without-key.",
  onWrongEncoding: "pass --encoding windows-1252",
};
