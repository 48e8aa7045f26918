import { CustomerContactModel } from "../models/contact.ts";
import type { Erasing } from "../models/personal.ts";
import { type Retained, retentionKinds } from "../models/retention.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { Erased } from "./queries/erased-rows.ts";
import type { ErasedType, Erasure } from "./queries/erasures.ts";
import type { TenantStore } from "./tenant-store.ts";

interface Sweeping {
  erasing: Erasing;
  erasure: Erasure;
  now: Timestamp;
  tenant: TenantStore;
  customerId: number;
}

/** One batch after the last row of the previous batch. "wait": call again later. */
type Step = (sweeping: Sweeping, afterId: number) => Promise<Erased | "wait">;

const jobsMax = 50;
const entriesMax = 200;
const answersMax = 500;

/** The order never changes, because a sweep continues at the number of its step. */
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

export const toErasedWord = (id: number): string => `erased-${id}`;

/** Erases a batch. "more": call again; "wait": call again later, because a delivery attempt is running. */
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

/** Includes audit entries and events. Contacts are only in events. */
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

/** Triggers have updated the search index except for words that no record has now. */
function words({ tenant }: Sweeping, afterId: number): Promise<Erased> {
  return tenant.search.forgetWords(afterId);
}

function formerJobs({ customerId, erasing, tenant }: Sweeping, afterId: number): Promise<Erased> {
  return tenant.erasures.eraseFormerJobs(customerId, afterId, erasing);
}

/** Deletes all stored responses, a day old at most, because the store does not know whom they mention. */
async function answers({ tenant }: Sweeping): Promise<Erased> {
  const changed = await tenant.idempotencyKeys.forgetAnswers(answersMax);
  // The next call starts again from the first response.
  return { changed, lastId: changed < answersMax ? null : 0 };
}

/** An attempt that has read its event before the erasure records it afterward. */
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

async function messages({ erasing, erasure, tenant }: Sweeping, afterId: number): Promise<Erased> {
  const { erasures } = tenant;
  const { driverId } = await erasures.peopleOf(erasure.record_id);
  const { ids, lastId } = await erasures.messagesOf(erasure.record_id, driverId, afterId);
  const audit = await erasures.eraseAudit("ChatMessage", ids, erasing);
  const rows = await erasures.eraseRows("chat_messages", ids, erasing.word);
  return { changed: audit.changed + rows, lastId };
}

const toLast = (ids: readonly number[], max: number) => (ids.length < max ? null : (ids.at(-1) ?? null));

/** Other writers wait a few milliseconds for a batch. */
const batchMax = 500;

/** `removed`: the rows deleted of each kind. `erasure`: the state of the oldest one, if any. */
export interface AppliedRetention {
  erasure: "done" | "more" | "wait" | null;
  isDone: boolean;
  removed: Record<Retained, number>;
}

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
