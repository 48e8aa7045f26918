/** Text as it is compared: without case, accents, and runs of white space. */
export function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();
}

/** What two names have in common that are the same to people: without marks, and streets in short. */
export function toNameKey(text: string): string {
  return fold(text.replace(/[.,'’]/g, " ")).replace(/\b[a-z]+\b/g, (word) => shortWords[word] ?? word);
}

/** The digits of a telephone number without those of its extension: `(202) 555-0188 x12`. */
export function toPhoneDigits(text: string): string {
  return text.replace(/\s*(?:extension|ext|x|#)\.?\s*\d{1,6}\s*$/i, "").replace(/\D/g, "");
}

/** How the United States Postal Service shortens words of addresses (Publication 28). */
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
