import type { BoardJob } from "./board.ts";
import { toAddressLine, toCustomerText } from "./job-names.ts";

/** The words that somebody filters a board by. */
export function toWords(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Whether a job has all the words in what a board says of it, or in what `further` says: its truck, whom to call. */
export function hasWords(
  words: readonly string[],
  job: BoardJob,
  further: () => readonly unknown[],
): boolean {
  if (words.length === 0) return true;
  const { address, id, is_late, reference_number, state, type_name } = job;
  const names = [toCustomerText(job), toAddressLine(address), address?.postcode, reference_number];
  const said = [id, state, is_late ? "late" : "", type_name, ...names, ...further()].join(" ").toLowerCase();
  return words.every((word) => said.includes(word));
}
