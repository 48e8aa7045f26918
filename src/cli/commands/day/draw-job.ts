import type { BoardJob } from "../../../board/board.ts";
import {
  type LocalDay,
  lateSign,
  toAddressLine,
  toCustomerText,
  toLocalWindow,
} from "../../../board/job-words.ts";
import { cutText, padText, widestOf } from "../../output/fit-text.ts";
import type { Screen } from "../../output/screen.ts";
import { toVisible } from "../../output/text.ts";
import { paintState, signColumns, toSignText } from "./job-signs.ts";

/** The same for all jobs of a board. 0 omits a part. */
export interface JobColumns {
  address: number;
  customer: number;
  gap: number;
  /** Whether states have words next to their signs. */
  hasWords: boolean;
  id: number;
  type: number;
  window: number;
  toWindow: (job: BoardJob) => string;
}

const indent = "  ";
const typeColumnsMax = 12;
const wordsFromColumns = 100;
/** With fewer columns, only the customer fits. */
const placeColumnsMin = 20;

export function hasWordsOn({ columns }: Pick<Screen, "columns">): boolean {
  return columns >= wordsFromColumns;
}

export function layoutJobs(jobs: readonly BoardJob[], day: LocalDay, screen: Screen): JobColumns {
  const toWindow = (job: BoardJob) => toLocalWindow(job, day);
  const widest = (toText: (job: BoardJob) => string) => widestOf(jobs.map(toText));
  const hasWords = hasWordsOn(screen);
  const gap = hasWords ? 2 : 1;
  const id = widest(toIdText);
  const type = Math.min(typeColumnsMax, widest(toTypeText));
  const window = widest(toWindow);
  const sign = lateSign.length + 1 + (hasWords ? signColumns : 1);
  const used = indent.length + sign + (window > 0 ? gap + window : 0) + 3 * gap + id + type;
  const left = screen.columns - used;
  const names = widest(toNameText);
  const places = widest(toAddressText);
  if (left < placeColumnsMin)
    return { address: 0, customer: Math.max(1, left), toWindow, gap, hasWords, id, type, window };
  // Names get a little more, because they are shorter and say more.
  const customer = Math.min(names, Math.max(Math.floor((left - gap) / 2), left - gap - places));
  const address = Math.min(places, left - gap - customer);
  return { address, customer, toWindow, gap, hasWords, id, type, window };
}

export function drawJob(job: BoardJob, columns: JobColumns, screen: Screen): string {
  const { address, customer, toWindow, gap, hasWords, id, type, window } = columns;
  const cell = (text: string, width: number, align: "left" | "right" = "left") =>
    padText(cutText(text, width), width, align);
  const sign = cell(toSignText(job, hasWords), hasWords ? signColumns : 1);
  const late = job.is_late ? screen.paint.alarm(lateSign) : " ";
  const parts = [
    ...(window > 0 ? [cell(toWindow(job), window)] : []),
    screen.paint.accent(cell(toIdText(job), id, "right")),
    cell(toTypeText(job), type),
    cell(toNameText(job), customer),
    ...(address > 0 ? [cell(toAddressText(job), address)] : []),
  ];
  return `${indent}${late} ${[paintState(job, sign, screen), ...parts].join(" ".repeat(gap))}`.trimEnd();
}

const toIdText = ({ id }: BoardJob) => String(id);

const toTypeText = ({ type_name }: BoardJob) => toVisible(type_name);

const toNameText = (job: BoardJob) => toVisible(toCustomerText(job));

const toAddressText = ({ address }: BoardJob) => toVisible(toAddressLine(address));
