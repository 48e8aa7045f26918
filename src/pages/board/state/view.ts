import { effect, type Signal, signal } from "@preact/signals";
import { addDays, type LocalDate } from "../../../local-time/zone.ts";
import { goTo } from "../../page-history.ts";

export const attentions = ["late", "unassigned", "declined", "failed", "conflicting"] as const;

export type Attention = (typeof attentions)[number];

/** Stored in the address, so that users can bookmark and share the view. */
export interface View {
  /** null: all. */
  attention: Attention | null;
  /** null: today. */
  date: LocalDate | null;
  /** null: all locations. */
  locationId: number | null;
  /** The job in the open window. */
  jobId: number | null;
  text: string;
  truckId: number | null;
  hasMap: boolean;
  /** One line for each card; null: if there are many trucks. */
  isCompact: boolean | null;
  /** For a screen on a wall. */
  isWall: boolean;
  /** A driver sees the board of the day instead of the next stop. */
  isWhole: boolean;
}

export function openView(): { view: Signal<View>; end(): void } {
  const view = signal(readView(location.search));
  const read = () => {
    // Back closes the window of the job, which may ask first.
    view.value = { ...readView(location.search), jobId: view.peek().jobId };
  };
  addEventListener("popstate", read);
  const stop = effect(() => {
    const search = writeView(view.value);
    if (search === location.search) return;
    // Another day adds a history entry. Typing in the filter does not, and a job's window adds its own.
    const noStep = { jobId: null, text: "" };
    const isStep =
      writeView({ ...view.value, ...noStep }) !== writeView({ ...readView(location.search), ...noStep });
    goTo(location.pathname + search, { isStep });
  });
  return {
    view,
    end() {
      removeEventListener("popstate", read);
      stop();
    },
  };
}

function readView(search: string): View {
  const given = new URLSearchParams(search);
  const date = given.get("date") ?? "";
  const toId = (text: string | null) => (/^[1-9]\d{0,14}$/.test(text ?? "") ? Number(text) : null);
  return {
    attention: attentions.find((one) => one === given.get("show")) ?? null,
    date: isDay(date) ? date : null,
    hasMap: given.get("map") === "on",
    isCompact: given.has("compact") ? given.get("compact") !== "off" : null,
    isWall: given.has("wall"),
    isWhole: given.get("view") === "day",
    jobId: toId(given.get("job")),
    locationId: toId(given.get("location")),
    text: given.get("text") ?? "",
    truckId: toId(given.get("truck")),
  };
}

/** Rejects days such as February 31. */
const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
  addDays(text, 0) === text;

function writeView(view: View): string {
  const { attention, date, hasMap, isCompact, isWall, isWhole, jobId, locationId, text, truckId } = view;
  const words = new URLSearchParams({
    ...(date !== null && { date }),
    ...(locationId !== null && { location: String(locationId) }),
    ...(truckId !== null && { truck: String(truckId) }),
    ...(text !== "" && { text }),
    ...(hasMap && { map: "on" }),
    ...(attention !== null && { show: attention }),
    ...(isCompact !== null && { compact: isCompact ? "on" : "off" }),
    ...(isWall && { wall: "on" }),
    ...(isWhole && { view: "day" }),
    ...(jobId !== null && { job: String(jobId) }),
  }).toString();
  return words === "" ? "" : `?${words}`;
}
