import type { Service } from "../core/service.ts";
import { failure } from "../errors/errors.ts";
import { fromWholeDay } from "../local-time/whole-day.ts";
import { Zone } from "../local-time/zone.ts";
import type { HookEvent } from "../models/event-kinds.ts";
import { toEpochMs } from "../runtime/clock.ts";
import { demoHook } from "../store/metadata-keys.ts";
import { makeSandbox } from "../store/store-clock.ts";
import { createAddressBook } from "./addresses.ts";
import { readUsAddresses } from "./addresses-us.ts";
import { dayInMs, hourInMs, planDays } from "./calendar.ts";
import { clientOf } from "./client-of.ts";
import { clientUsername, companies, hauler, ownerUsername } from "./companies.ts";
import { createHistoryClock, toDemoService, toUuid } from "./demo-service.ts";
import { fillCustomers } from "./fill-customers.ts";
import { fillJobs } from "./fill-jobs.ts";
import { leadDaysMax } from "./job-times.ts";
import { makeCompany } from "./make-company.ts";
import { deskJobsMax, makeChats, makeDeskJobs } from "./make-desk-work.ts";
import { makeUser } from "./make-user.ts";
import { createNameBook } from "./names.ts";
import { createRandom } from "./random.ts";
import type { Company, Filling } from "./yard.ts";

export interface DemoOptions {
  /** The same seed on the same moment gives the same data. */
  seed: number;
  /** How many jobs; everything else stays as many. */
  jobs: number;
  /** Told after each batch of jobs. */
  onProgress?: (done: number, of: number) => void;
}

/** The first tenant, its first location, and its owner. */
export interface DemoFacts {
  tenantId: number;
  locationId: number;
  user: string;
}

/**
 * Fills an empty store with believable data around the service's present moment: two tenants with one owner, three
 * locations, users of every role, 200 customers, 20 trucks with drivers, 150 assets, materials, webhooks, chats and jobs. Throws
 * store_exists when there is a tenant already.
 */
export async function fillDemoStore(
  service: Service,
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
  const history = toHistory(Math.min(todayMs, days[0]?.dayMs ?? todayMs));
  const clock = createHistoryClock(history.foundedMs);
  const filling: Filling = {
    addresses: createAddressBook(readUsAddresses(), random),
    clock,
    names: createNameBook(random),
    nowMs,
    random,
    service: toDemoService(service, seed, clock),
    todayMs,
  };
  const made = await fillCompanies(filling, history, deskJobs);
  await takeTrucksOutOfService(filling, made, todayMs);
  await makeChats(filling, made[0]);
  let done = deskJobs;
  await fillJobs(filling, made, days, (stored) => {
    done += stored;
    onProgress?.(done, jobs);
  });
  const [{ tenantId, yards }] = made;
  return { tenantId, locationId: yards[0].id, user: ownerUsername };
}

/** What happened before the first job; milliseconds since 1970. */
interface History {
  foundedMs: number;
  firstCustomerMs: number;
  deskMs: number;
  hookedMs: number;
  unhookedMs: number;
}

/** For this many days customers came, before the first job. */
const customerDays = 730;

function toHistory(firstDayMs: number): History {
  const at = (daysBefore: number) => firstDayMs - daysBefore * dayInMs + 9 * hourInMs;
  // Jobs are made some days before their day; by then their customers are there.
  const lastCustomer = leadDaysMax + 5;
  return {
    foundedMs: at(lastCustomer + customerDays + 20),
    firstCustomerMs: at(lastCustomer + customerDays),
    deskMs: at(leadDaysMax + 3),
    hookedMs: at(leadDaysMax + 2),
    unhookedMs: at(leadDaysMax + 1),
  };
}

/** Both tenants with everything but the jobs that trucks do. */
async function fillCompanies(
  filling: Filling,
  history: History,
  deskJobs: number,
): Promise<[Company, Company]> {
  const owner = { username: ownerUsername, uid: toUuid(filling.random.bytes(16)) };
  const [first, second] = companies;
  const made: [Company, Company] = [
    await makeCompany(filling, first, owner),
    await makeCompany(filling, second, owner),
  ];
  await makeHauler(filling, made[0]);
  const yards = made.flatMap((company) => company.yards);
  const chains = await fillCustomers(filling, yards, {
    openingMs: history.firstCustomerMs,
    days: customerDays,
  });
  await makeClient(filling, made[0], chains);
  await makeDeskJobs(filling, made[0], { atMs: history.deskMs, count: deskJobs });
  await makeHooks(filling, made[0], history);
  return made;
}

/** The hauler that drives for a company, with the connection that says so. */
async function makeHauler(filling: Filling, { owner }: Company): Promise<void> {
  const { clock, service } = filling;
  await service.store.write(owner.scope, ({ haulers }) =>
    haulers.insert({ ...hauler, created_on: clock.now() }),
  );
  await clientOf(filling, owner).call("haulers.connect", {
    params: { hauler_uuid: hauler.uuid },
    body: { tenant_code: companies[0].code },
  });
}

/** The user of a customer with several sites. */
async function makeClient(
  filling: Filling,
  { owner, yards: [yard] }: Company,
  chains: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  await makeUser(filling, owner, yard.id, {
    customer_ids: chains.get(yard.plan.chains[0].name),
    roles: ["ClientCustomer"],
    username: clientUsername,
  });
}

/** A webhook that is called and one that was given up. They come after the customers, so nothing is owed to them. */
async function makeHooks(filling: Filling, { owner }: Company, history: History): Promise<void> {
  const { clock } = filling;
  const client = clientOf(filling, owner);
  const make = (body: { events: HookEvent[]; url: string }) => client.call("hooks.create", { body });
  clock.moveTo(history.hookedMs);
  const { id } = await make({ events: ["Job", "Customer"], url: "http://127.0.0.1:8787/hooks" });
  await filling.service.store.metadata.set(demoHook, String(id));
  const abandoned = await make({ events: ["Truck"], url: "http://127.0.0.1:8787/old-hooks" });
  clock.moveTo(history.unhookedMs);
  await client.call("hooks.delete", { params: { hook_id: abandoned.id } });
}

/** The trucks whose plan says so, in the afternoon before the first day that they miss. */
async function takeTrucksOutOfService(
  filling: Filling,
  made: readonly Company[],
  todayMs: number,
): Promise<void> {
  for (const { id, crews, owner } of made.flatMap((company) => company.yards)) {
    for (const { plan, truckId } of crews) {
      if (!plan.outOfService) continue;
      filling.clock.moveTo(todayMs - plan.outOfService.days * dayInMs - 6 * hourInMs);
      await clientOf(filling, owner).call("trucks.update", {
        params: { location_id: id, truck_id: truckId },
        body: { out_of_service: true, notes: plan.outOfService.why },
      });
    }
  }
}
