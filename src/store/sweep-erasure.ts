import { CustomerContactModel } from "../models/contact.ts";
import type { Erasing } from "../models/personal.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { Erased } from "./queries/erased-rows.ts";
import type { ErasedType, Erasure } from "./queries/erasures.ts";
import type { TenantStore } from "./tenant-store.ts";
import { type Retained, retentionKinds } from "../models/retention.ts";

/** What a step works with. */
interface Sweeping {
  erasing: Erasing;
  erasure: Erasure;
  now: Timestamp;
  tenant: TenantStore;
  /** The customer whose records are walked; of a user 0. */
  customerId: number;
}

/** One batch of a step, after the row that the last batch ended with; "wait" is to be asked again in a while. */
type Step = (sweeping: Sweeping, afterId: number) => Promise<Erased | "wait">;

const jobsMax = 50;
const entriesMax = 200;
const answersMax = 500;

/** What is walked, by what was erased: in the same order as ever, because a sweep goes on by the number of its step. */
const steps: Readonly<Record<ErasedType, readonly Step[]>> = {
  Customer: [
    customerAudit,
    locationAudit,
    customerEvents,
    locationEvents,
    jobs,
    assets,
    words,
    formerJobs,
    answers,
    attempts,
  ],
  CustomerContact: [
    customerAudit,
    locationAudit,
    customerEvents,
    locationEvents,
    jobs,
    words,
    formerJobs,
    answers,
    attempts,
  ],
  User: [userAudit, words, places, messages, answers],
};

/** In place of texts that must not be null. */
export const toErasedWord = (id: number): string => `erased-${id}`;

/**
 * Erases one batch more of what the store keeps of an erased record beside its own rows, and notes how far it came: any
 * program goes on where another ended. "more": there is more to do at once; "wait": an attempt to deliver is under way.
 */
export async function sweepErasure(
  tenant: TenantStore,
  erasure: Erasure,
  now: Timestamp,
): Promise<"done" | "more" | "wait"> {
  const { erasures } = tenant;
  const all = steps[erasure.record_type];
  const step = all[erasure.step];
  if (!step) {
    await erasures.advance({ ...erasure, finished_on: now });
    return "done";
  }
  const sweeping = { ...(await toSubject(tenant, erasure)), erasure, now, tenant };
  const erased = await step(sweeping, erasure.after_id);
  if (erased === "wait") return "wait";
  const rows_changed = Number(erasure.rows_changed) + erased.changed;
  const at = erased.lastId === null ? { after_id: 0, step: erasure.step + 1 } : { after_id: erased.lastId };
  const isLast = erased.lastId === null && erasure.step + 1 >= all.length;
  await erasures.advance({ ...erasure, ...at, finished_on: isLast ? now : null, rows_changed });
  return isLast ? "done" : "more";
}

async function toSubject(
  { erasures }: TenantStore,
  { record_id, record_type }: Erasure,
): Promise<Pick<Sweeping, "customerId" | "erasing">> {
  const word = toErasedWord(record_id);
  if (record_type !== "CustomerContact")
    return { customerId: record_type === "Customer" ? record_id : 0, erasing: { word } };
  const only = { id: record_id, model: CustomerContactModel };
  return { customerId: await erasures.customerOfContact(record_id), erasing: { only, word } };
}

function customerAudit({ customerId, erasing, tenant }: Sweeping, afterId: number): Promise<Erased> {
  return tenant.erasures.eraseAudit("Customer", [customerId], erasing, { afterId, max: entriesMax });
}

function locationAudit({ customerId, erasing, tenant }: Sweeping, afterId: number): Promise<Erased> {
  return tenant.erasures.eraseAudit("CustomerLocation", [customerId], erasing, { afterId, max: entriesMax });
}

function customerEvents({ customerId, erasing, tenant }: Sweeping, afterId: number): Promise<Erased> {
  return tenant.erasures.eraseEvents("Customer", [customerId], erasing, { afterId, max: entriesMax });
}

function locationEvents({ customerId, erasing, tenant }: Sweeping, afterId: number): Promise<Erased> {
  return tenant.erasures.eraseEvents("CustomerLocation", [customerId], erasing, { afterId, max: entriesMax });
}

/** Jobs with their entries and events. A contact stands in the events only: the record of a job has no contacts. */
async function jobs(sweeping: Sweeping, afterId: number): Promise<Erased> {
  const { customerId, erasing, now, tenant } = sweeping;
  const { erasures } = tenant;
  const ids = await erasures.idsOfCustomer("jobs", customerId, { afterId, max: jobsMax });
  const events = await erasures.eraseEvents("Job", ids, erasing);
  let { changed } = events;
  if (erasing.only === undefined) {
    changed += await erasures.eraseJobs(ids, erasing, now);
    changed += (await erasures.eraseAudit("Job", ids, erasing)).changed;
  }
  return { changed, lastId: toLast(ids, jobsMax) };
}

async function assets({ customerId, erasing, tenant }: Sweeping, afterId: number): Promise<Erased> {
  const { erasures } = tenant;
  const ids = await erasures.idsOfCustomer("assets", customerId, { afterId, max: entriesMax });
  const audit = await erasures.eraseAudit("Asset", ids, erasing);
  const rows = await erasures.eraseRows("assets", ids, erasing.word);
  return { changed: audit.changed + rows, lastId: toLast(ids, entriesMax) };
}

/** The search index followed by itself but for words that nobody has any more. */
function words({ tenant }: Sweeping, afterId: number): Promise<Erased> {
  return tenant.search.forgetWords(afterId);
}

function formerJobs({ customerId, erasing, tenant }: Sweeping, afterId: number): Promise<Erased> {
  return tenant.erasures.eraseFormerJobs(customerId, afterId, erasing);
}

/**
 * Nobody can tell whom kept answers tell of, so none is given again. They are a day old at most. Their times say nothing: one
 * of a change that was carried out before the erasure may be later by its own clock (OP-381).
 */
async function answers({ tenant }: Sweeping): Promise<Erased> {
  const changed = await tenant.idempotencyKeys.forgetAnswers(answersMax);
  // Those that are left are found again, so there is no row to go on from.
  return { changed, lastId: changed < answersMax ? null : 0 };
}

/** An attempt that had read its event before records it after. */
async function attempts({ customerId, erasure, now, tenant }: Sweeping): Promise<Erased | "wait"> {
  const { erasures } = tenant;
  if (await erasures.isBeingSent(customerId, now)) return "wait";
  const changed = await erasures.eraseAttempts(customerId, Number(erasure.attempts_after));
  return { changed, lastId: null };
}

async function userAudit({ erasing, erasure, tenant }: Sweeping): Promise<Erased> {
  const { erasures } = tenant;
  const { driverId, tokenIds } = await erasures.peopleOf(erasure.record_id);
  const drivers = driverId === null ? [] : [driverId];
  const entries = [
    await erasures.eraseAudit("User", [erasure.record_id], erasing),
    await erasures.eraseAudit("Token", tokenIds, erasing),
    await erasures.eraseAudit("Driver", drivers, erasing),
  ];
  const rows = await erasures.eraseRows("drivers", drivers, erasing.word);
  return { changed: entries.reduce((sum, { changed }) => sum + changed, rows), lastId: null };
}

async function places({ erasing, erasure, tenant }: Sweeping, afterId: number): Promise<Erased> {
  const { driverId } = await tenant.erasures.peopleOf(erasure.record_id);
  if (driverId === null) return { changed: 0, lastId: null };
  const { ids, lastId } = await tenant.erasures.placesOf(driverId, afterId);
  return { changed: await tenant.erasures.eraseRows("gps_events", ids, erasing.word), lastId };
}

/** What the user wrote, and the whole conversation of the driver it is. */
async function messages({ erasing, erasure, tenant }: Sweeping, afterId: number): Promise<Erased> {
  const { erasures } = tenant;
  const { driverId } = await erasures.peopleOf(erasure.record_id);
  const { ids, lastId } = await erasures.messagesOf(erasure.record_id, driverId, afterId);
  const audit = await erasures.eraseAudit("ChatMessage", ids, erasing);
  const rows = await erasures.eraseRows("chat_messages", ids, erasing.word);
  return { changed: audit.changed + rows, lastId };
}

const toLast = (ids: readonly number[], max: number) => (ids.length < max ? null : (ids.at(-1) ?? null));

/** Rows of a kind that one transaction removes: others wait for it some milliseconds. */
const batchMax = 500;

/** What one transaction removed of each kind, and how far the oldest erasure is; null when there is none. */
export interface AppliedRetention {
  erasure: "done" | "more" | "wait" | null;
  isDone: boolean;
  removed: Record<Retained, number>;
}

/**
 * Removes a batch of each of some kinds that the tenant's rules let go, with what hangs on it, and erases a batch of what an erasure
 * has left (OP-337). Both are noted.
 */
export async function applyRetention(
  tenant: TenantStore,
  now: Timestamp,
  kinds: readonly Retained[] = retentionKinds,
): Promise<AppliedRetention> {
  const { erasures, retention } = tenant;
  const removed: Record<Retained, number> = { audit: 0, chats: 0, deliveries: 0, events: 0, gps: 0 };
  let isDone = true;
  const rules = await retention.rules();
  for (const rule of rules.filter(({ kind }) => kinds.includes(kind))) {
    const count = await retention.prune(rule, now, batchMax);
    removed[rule.kind] = count;
    if (count >= batchMax) isDone = false;
    await retention.note(rule.kind, count, count < batchMax, now);
  }
  const open = await erasures.next();
  return { erasure: open ? await sweepErasure(tenant, open, now) : null, isDone, removed };
}
