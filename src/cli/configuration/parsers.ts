import { failure } from "../../errors/errors.ts";

/** A whole number within bounds, for `parse`. */
export const wholeNumber = (min: number, max: number) => (text: string, name: string) => {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw failure("usage", `${name} must be a number from ${min} to ${max}, not "${text}".`);
};

/** One of the words, for `parse`. */
export const oneOf = (words: readonly string[]) => (text: string, name: string) => {
  if (words.includes(text)) return text;
  throw failure("usage", `${name} must be one of ${words.join(", ")}, not "${text}".`);
};
