import { sayDayOrMoment } from "../../../local-time/show-time.ts";
import type { Zones } from "../../../local-time/zones.ts";
import type { Timestamp } from "../../../runtime/clock.ts";
import { toShellWord } from "../../../runtime/shell-word.ts";
import { cutText } from "../../output/fit-text.ts";
import type { Screen } from "../../output/screen.ts";
import { toVisible } from "../../output/text.ts";
import type { FoundHit } from "./job-words.ts";

interface Drawing {
  /** The words of what is done next most often with the best hit; null: nothing is proposed. */
  next: readonly string[] | null;
  now: Timestamp;
  screen: Screen;
  zones: Zones;
}

/** The best hit in full, with what can be done next; each other one in a line. */
export function drawFound([best, ...others]: readonly FoundHit[], drawing: Drawing): string[] {
  if (!best) return [];
  const { screen } = drawing;
  const lines = others.map((hit) => cutText(toLine(hit), screen.columns));
  const next = drawing.next && `dispatch-cli ${drawing.next.map(toShellWord).join(" ")}`;
  return [
    ...drawBest(best, drawing),
    ...(next === null ? [] : [screen.paint.faint(`  ${toVisible(next)}`)]),
    ...(lines.length === 0 ? [] : ["", ...lines]),
  ];
}

/** `customer 11 Potomac Roofing`. */
export function nameHit({ id, kind, name }: FoundHit): string {
  return toVisible(name === `${kind} ${id}` ? name : `${kind} ${id} ${name}`);
}

function toLine(hit: FoundHit): string {
  const phone =
    hit.contact_number === null ? null : [hit.contact_name, hit.contact_number].filter(Boolean).join(" ");
  const parts = [nameHit(hit), hit.customer_name, hit.address, phone, hit.is_active ? null : "not in use"];
  const isOver = hit.kind === "job" && !hit.is_active;
  return parts
    .map((part) => (isOver && part === "not in use" ? (hit.next_job?.state ?? null) : part))
    .filter((part) => part !== null && part !== "")
    .map((part) => toVisible(String(part)))
    .join(" · ");
}

function drawBest(hit: FoundHit, { now, screen, zones }: Drawing): string[] {
  const { paint } = screen;
  const toJob = (job: FoundHit["last_job"]) => {
    if (!job) return null;
    const zone = zones.of(job.location_id);
    const date = job.schedule_date
      ? sayDayOrMoment(job.schedule_date, { zone, today: zone.dateOf(now) })
      : "no date";
    // Of a job that was found, the first line says which one it is.
    const own = hit.kind === "job" ? [] : [job.reference_number, `job ${job.id}`];
    return [date, job.state, job.truck_name, ...own].filter(Boolean).join(" · ");
  };
  const facts: [string, string | null][] = [
    ["Customer", hit.customer_name],
    ["Address", hit.address],
    ["Call", [hit.contact_name, hit.contact_number].filter(Boolean).join(", ") || null],
    ["Found by", isPlain(hit) ? null : `${hit.matched.replaceAll("_", " ")} ${hit.matched_text}`],
    ["Last", toJob(hit.last_job)],
    [hit.kind === "job" ? "When" : "Next", toJob(hit.next_job)],
  ];
  return [
    `${paint.bold(nameHit(hit))}${hit.is_active || hit.kind === "job" ? "" : "  not in use"}`,
    ...facts
      .filter((fact) => fact[1] !== null)
      .map(([label, text]) => cutText(`  ${label.padEnd(9)}${toVisible(text ?? "")}`, screen.columns)),
  ];
}

/** Whether what is shown anyway tells why it was found. */
function isPlain({ address, contact_name, contact_number, matched, matched_text, name }: FoundHit): boolean {
  return matched === "id" || [address, contact_name, contact_number, name].includes(matched_text);
}
