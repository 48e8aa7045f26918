import type { BoardJob } from "../../board/board.ts";
import { hasWords } from "../../board/filter-words.ts";
import type { Job } from "./state/read-day.ts";

/** Whom to call about a job: the first of the customer's contacts that has a number. */
export function toContact(job: Job | undefined): { name: string | null; number: string } | null {
  const contact = job?.customer?.contacts.find(({ number }) => number !== null && number !== "");
  return contact?.number ? { name: contact.name, number: contact.number } : null;
}

/**
 * What a phone dials: numbers are written in many ways. An extension is dialled after a pause, the zero of
 * `+44 (0)20` is not, and `*` and `#`, by which phones are told to forward calls, are left out.
 */
export function toDialled(text: string): string {
  const number = text.trim().startsWith("+") ? text.replace("(0)", "") : text;
  const [main = "", extension = ""] = number
    .split(/[^\d\s)]*(?:ext|x|#|,|;)[^\d]*/i)
    .filter((part) => /\d/.test(part));
  const dialled = (main.trim().startsWith("+") ? "+" : "") + main.replace(/\D/g, "");
  return `tel:${dialled}${extension && `,${extension.replace(/\D/g, "")}`}`;
}

/** What is brought or fetched: the asset's own name, or its type. */
export function toAssetText(job: Job | undefined): string {
  if (!job) return "";
  const { asset, asset_quantity, asset_type, desired_asset_desc } = job;
  const kind = asset_type?.name ?? asset?.asset_type?.name ?? desired_asset_desc ?? "";
  const own = asset?.description ?? "";
  const count = (asset_quantity ?? 1) > 1 ? `${asset_quantity} × ` : "";
  const text = own !== "" && kind !== "" ? `${kind} (${own})` : own || kind;
  return text === "" ? "" : count + text;
}

/** Whether a job has all the words, in what its card says too. */
export function cardHasWords(
  words: readonly string[],
  job: BoardJob,
  whole: Job | undefined,
  truck: string,
): boolean {
  return hasWords(words, job, () => {
    const contact = toContact(whole);
    return [contact?.name, contact?.number, toAssetText(whole), truck];
  });
}

/** A field of the wire in words: `is_completed` is "completed", `truck_id` is "truck". */
export const toFieldWords = (name: string): string =>
  name
    .replace(/^is_/, "")
    .replace(/_(?:id|on)$/, "")
    .replaceAll("_", " ");
