import type { Client } from "../client/client.ts";
import type { Actor } from "../core/actor.ts";
import type { Service } from "../core/service.ts";
import { failure } from "../errors/errors.ts";
import { fromWholeDay } from "../local-time/whole-day.ts";
import { Zone } from "../local-time/zone.ts";
import { apiVersions } from "../models/api-versions.ts";
import type { HookEvent } from "../models/event-kinds.ts";
import { toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { demoHook } from "../store/metadata-keys.ts";
import { makeSandbox } from "../store/store-clock.ts";
import { clientUsername, companies, hauler, ownerUsername } from "./data.ts";
import { leadDaysMax } from "./job.ts";
import { makeCompany, makeUser } from "./make-company.ts";
import { makeCustomers, openBooks } from "./make-customers.ts";
import { makeJobs, planDays } from "./make-jobs.ts";
import { createRandom, toUuid } from "./random.ts";
import { type Company, dayInMs, type Filling, hourInMs } from "./yard.ts";

export interface DemoOptions {
  /** The same seed at the same time gives the same data. */
  seed: number;
  /** The number of jobs; the number of all other records stays the same. */
  jobs: number;
  onProgress?: (done: number, of: number) => void;
}

export interface DemoFacts {
  tenantId: number;
  locationId: number;
  user: string;
}

const customerDays = 730;

const deskJobsMax = 2;

/** Fills an empty store with two tenants and their records around the present. Throws store_exists. */
export async function fillDemoStore(
  service: Service,
  clientOf: (service: Service, actor: Actor) => Client,
  { seed, jobs, onProgress }: DemoOptions,
): Promise<DemoFacts> {
  if ((await service.store.accounts.tenants()).length > 0)
    throw failure("store_exists", "Demo data go into an empty store only; this one has a tenant.");
  await service.store.metadata.set("made_by", "demo");
  await makeSandbox(service);
  const random = createRandom(seed);
  const nowMs = toEpochMs(service.clock.now());
  const todayMs = toEpochMs(fromWholeDay(new Zone(companies[0].timeZone).dateOf(service.clock.now())));
  const deskJobs = Math.min(deskJobsMax, jobs);
  const days = planDays(todayMs, jobs - deskJobs, random);
  const firstDayMs = Math.min(todayMs, days[0]?.dayMs ?? todayMs);
  const beforeJobs = (days: number) => firstDayMs - (leadDaysMax + days) * dayInMs + 9 * hourInMs;
  const history = withHistory(service, seed);
  const filling: Filling = {
    books: openBooks(random),
    nowMs,
    random,
    todayMs,
    ...history,
    clientOf: (actor) => clientOf(history.service, actor),
  };
  filling.moveTo(beforeJobs(customerDays + 25));
  const owner = { username: ownerUsername, uid: toUuid(random.bytes(16)) };
  const first = await makeCompany(filling, companies[0], owner);
  const made = [first, await makeCompany(filling, companies[1], owner)];
  await makeHauler(filling, first);
  const yards = made.flatMap((company) => company.yards);
  const opening = { openingMs: beforeJobs(customerDays + 5), days: customerDays };
  const chains = await makeCustomers(filling, yards, opening);
  await makeClient(filling, first, chains);
  await makeDeskJobs(filling, first, { atMs: beforeJobs(3), count: deskJobs });
  await makeHooks(filling, first, { createdMs: beforeJobs(2), deletedMs: beforeJobs(1) });
  await takeTrucksOutOfService(filling, made);
  await makeChats(filling, first);
  let done = deskJobs;
  await makeJobs(filling, made, days, (stored) => {
    done += stored;
    onProgress?.(done, jobs);
  });
  return { tenantId: first.owner.scope.tenantId, locationId: first.yards[0].id, user: ownerUsername };
}

/** The clock stands still until `moveTo`. The seed makes ids and secrets guessable: keep them on this machine. */
function withHistory(service: Service, seed: number): Pick<Filling, "moveTo" | "service"> {
  let moment = service.clock.now();
  const now = () => moment;
  // A second generator: the demo's data must not change when an operation uses one more id.
  const random = createRandom(~seed);
  return {
    moveTo: (epochMs) => {
      moment = toTimestamp(epochMs);
    },
    service: {
      ...service,
      policy: { ...service.policy, allowsPrivateHooks: true },
      clock: { now, unmoved: now, refresh: async () => undefined },
      makeUuid: () => toUuid(random.bytes(16)),
      randomBytes: (count) => random.bytes(count),
    },
  };
}

async function makeHauler(filling: Filling, { owner }: Company): Promise<void> {
  const { clock, store } = filling.service;
  await store.write(owner.scope, ({ haulers }) => haulers.insert({ ...hauler, created_on: clock.now() }));
  const params = { hauler_uuid: hauler.uuid };
  await filling.clientOf(owner).call("haulers.connect", {
    params,
    body: { tenant_code: companies[0].code },
  });
}

async function makeClient(
  filling: Filling,
  { owner, yards: [yard] }: Company,
  chains: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  await makeUser(filling, owner, yard.id, {
    customer_ids: chains.get(yard.plan.chains[0][0]),
    roles: ["ClientCustomer"],
    username: clientUsername,
  });
}

/** Creates the first jobs, for tomorrow, which the help's examples name: job 1 has no truck, job 2 is on the third. */
async function makeDeskJobs(
  filling: Filling,
  { yards: [yard] }: Company,
  { atMs, count }: { atMs: number; count: number },
): Promise<void> {
  const [desk] = yard.dispatchers;
  const truckId = yard.crews[2]?.truckId;
  if (!desk || truckId === undefined) throw new Error("The demo plans no desk, or too few trucks.");
  const client = filling.clientOf(desk);
  const params = { location_id: yard.id };
  for (const [index, site] of yard.sites.slice(0, count).entries()) {
    filling.moveTo(atMs + index * hourInMs);
    const body = {
      address_id: site.addressId,
      asset_type_id: yard.assetTypeIds["20-yard roll-off"],
      dispatch_priority: "M",
      requested_by: site.customerId,
      schedule_date: toTimestamp(filling.todayMs + dayInMs),
      type: "D",
    } as const;
    await client.call("jobs.create", { params, body });
    if (index === 0) continue;
    filling.moveTo(atMs + (index + 1) * hourInMs);
    // These are the store's first jobs, so their ids are 1 and 2.
    const job = { ...params, job_id: index + 1 };
    await client.call("jobs.dispatch", { params: job, body: { truck_id: truckId } });
  }
}

/** One active and one deleted webhook, created after the customers, so that no delivery is due. */
async function makeHooks(
  filling: Filling,
  { owner }: Company,
  { createdMs, deletedMs }: { createdMs: number; deletedMs: number },
): Promise<void> {
  const client = filling.clientOf(owner);
  // `versions check` shows what changes for such an old webhook.
  const create = (body: { events: HookEvent[]; url: string }) =>
    client.call("hooks.create", { body: { api_version: apiVersions[0], ...body } });
  filling.moveTo(createdMs);
  const { id } = await create({ events: ["Job", "Customer"], url: "http://127.0.0.1:8787/hooks" });
  await filling.service.store.metadata.set(demoHook, String(id));
  const abandoned = await create({ events: ["Truck"], url: "http://127.0.0.1:8787/old-hooks" });
  filling.moveTo(deletedMs);
  await client.call("hooks.delete", { params: { hook_id: abandoned.id } });
}

/** Takes trucks out of service in the afternoon before their first absent day. */
async function takeTrucksOutOfService(filling: Filling, made: readonly Company[]): Promise<void> {
  for (const { id, crews, owner } of made.flatMap((company) => company.yards)) {
    for (const { plan, truckId } of crews) {
      if (!plan.outOfService) continue;
      filling.moveTo(filling.todayMs - plan.outOfService.days * dayInMs - 6 * hourInMs);
      await filling.clientOf(owner).call("trucks.update", {
        params: { location_id: id, truck_id: truckId },
        body: { out_of_service: true, notes: plan.outOfService.why },
      });
    }
  }
}

async function makeChats(filling: Filling, { yards: [yard] }: Company): Promise<void> {
  const [desk] = yard.dispatchers;
  const [crew] = yard.crews;
  const [landfill] = yard.landfills;
  if (!desk || !crew || !landfill) throw new Error("The demo plans no desk, no driver, or no landfill.");
  const params = { driver_id: crew.driverId };
  const toDriver = { id: crew.driverId, type: "driver" } as const;
  const toDesk = { id: desk.user.id, type: "dispatcher" } as const;
  filling.moveTo(filling.nowMs - 2 * hourInMs);
  const text = "The gate code at the next stop is 4711.";
  await filling.clientOf(desk).call("chats.send", { params, body: { receiver: toDriver, text } });
  const repliedMs = filling.nowMs - hourInMs;
  filling.moveTo(repliedMs);
  const driver = filling.clientOf(crew.driver);
  const reply = "Thanks. I am at the landfill, some 20 minutes of queue.";
  await driver.call("chats.send", { params, body: { receiver: toDesk, text: reply } });
  const coords = { latitude: landfill.latitude, longitude: landfill.longitude };
  await driver.call("gps.record", {
    params: { location_id: yard.id },
    body: { location: { coords, timestamp: toTimestamp(repliedMs) } },
  });
}
