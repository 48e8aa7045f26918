import type { BoardJob, BoardTotals } from "../../board/board.ts";
import { hasWords } from "../../board/job-words.ts";
import { showTimeOfDay } from "../../local-time/show-time.ts";
import type { Zone } from "../../local-time/zone.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Job } from "./state/read-day.ts";

export function toContact(job: Job | undefined): { name: string | null; number: string } | null {
  const contact = job?.customer?.contacts.find(({ number }) => number !== null && number !== "");
  return contact?.number ? { name: contact.name, number: contact.number } : null;
}

/** A phone dials an extension after a pause. Omits `*` and `#`, which could forward calls. */
export function toDialled(text: string): string {
  const number = text.trim().startsWith("+") ? text.replace("(0)", "") : text;
  const [main = "", extension = ""] = number
    .split(/[^\d\s)]*(?:ext|x|#|,|;)[^\d]*/i)
    .filter((part) => /\d/.test(part));
  const dialled = (main.trim().startsWith("+") ? "+" : "") + main.replace(/\D/g, "");
  return `tel:${dialled}${extension && `,${extension.replace(/\D/g, "")}`}`;
}

export function toAssetText(job: Job | undefined): string {
  if (!job) return "";
  const { asset, asset_quantity, asset_type, desired_asset_desc } = job;
  const kind = asset_type?.name ?? asset?.asset_type?.name ?? desired_asset_desc ?? "";
  const own = asset?.description ?? "";
  const count = (asset_quantity ?? 1) > 1 ? `${asset_quantity} × ` : "";
  const text = own !== "" && kind !== "" ? `${kind} (${own})` : own || kind;
  return text === "" ? "" : count + text;
}

/** `4 jobs, 1 done, 2 late`. */
export function toCountText({ completed, failed, jobs, late }: BoardTotals): string {
  if (jobs === 0) return "free";
  const parts = [
    `${jobs} ${jobs === 1 ? "job" : "jobs"}`,
    ...(completed > 0 ? [`${completed} done`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(late > 0 ? [`${late} late`] : []),
  ];
  return parts.join(", ");
}

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

/** `is_completed` becomes "completed", `truck_id` "truck". */
export const toFieldWords = (name: string): string =>
  name
    .replace(/^is_/, "")
    .replace(/_(?:id|on)$/, "")
    .replaceAll("_", " ");

/** Keeps a name from reordering the text around it (UAX #9: FSI, PDI). Removes characters that change the direction. */
export function isolate(name: string): string {
  const plain = name.replace(directing, "");
  return rightToLeft.test(plain) ? `\u2068${plain}\u2069` : plain;
}

const directing = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Blocks of right-to-left scripts, such as Hebrew, Arabic, N'Ko, and Adlam. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** `8:00 am EST`. */
export const showClock = (moment: Timestamp, zone: Zone): string =>
  `${showTimeOfDay(zone.toLocal(moment), zone)} ${zone.abbreviationAt(moment)}`;
