/** Removes case, accents, and repeated white space for a comparison. */
export function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();
}

/** Without punctuation and with short street words, so that spellings of a name become equal. */
export function toNameKey(text: string): string {
  return fold(text.replace(/[.,'’]/g, " ")).replace(/\b[a-z]+\b/g, (word) => shortWords[word] ?? word);
}

/** Without the extension: `(202) 555-0188 x12`. */
export function toPhoneDigits(text: string): string {
  return text.replace(/\s*(?:extension|ext|x|#)\.?\s*\d{1,6}\s*$/i, "").replace(/\D/g, "");
}

/** From USPS Publication 28. */
const shortWords: Readonly<Record<string, string>> = {
  avenue: "ave",
  boulevard: "blvd",
  circle: "cir",
  court: "ct",
  drive: "dr",
  east: "e",
  highway: "hwy",
  lane: "ln",
  north: "n",
  northeast: "ne",
  northwest: "nw",
  parkway: "pkwy",
  place: "pl",
  road: "rd",
  south: "s",
  southeast: "se",
  southwest: "sw",
  square: "sq",
  street: "st",
  terrace: "ter",
  west: "w",
};
