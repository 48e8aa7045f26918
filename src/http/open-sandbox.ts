import { openService, type ServiceOptions } from "../core/open-service.ts";
import type { Service } from "../core/service.ts";
import { setUpTenant } from "../core/setup.ts";
import { companies } from "../demo/data.ts";
import { fillDemoStore } from "../demo/fill-demo-store.ts";
import { fromWholeDay } from "../local-time/whole-day.ts";
import { type LocalDate, Zone } from "../local-time/zone.ts";
import { systemClock, type Timestamp, toEpochMs } from "../runtime/clock.ts";
import { makeSandbox, moveClock } from "../store/store-clock.ts";
import { clientOf, findFirstTenant, makeOwnerToken } from "./local-client.ts";

export interface SandboxOptions {
  /** With the records of the demo; otherwise only a tenant and a location. */
  demo: boolean;
  /** The first time of its clock; by default the machine's time. */
  now?: Timestamp;
  tokenName: string;
  service?: Omit<ServiceOptions, "clock" | "create" | "data" | "inMemory">;
}

/** A sandbox store in memory, with a token of its first tenant's owner. */
export interface OpenSandbox {
  service: Service;
  options: ServiceOptions;
  token: string;
  tenantId: number;
  locationId: number;
}

/** The store exists until the service closes it. */
export async function openSandbox({
  demo,
  now,
  service: given,
  tokenName,
}: SandboxOptions): Promise<OpenSandbox> {
  const image = demo ? await demoImageOf(now ?? systemClock.now()) : null;
  const options = { ...given, data: "a store in memory", inMemory: { image } };
  const service = openService(options);
  try {
    if (!demo) await makeSandbox(service);
    if (now !== undefined) await setClock(service, now);
    if (!demo) await makeFirstTenant(service);
    const { locationId, tenantId } = await findFirstTenant(service);
    return {
      service,
      options,
      token: await makeOwnerToken(service, tenantId, tokenName),
      tenantId,
      locationId,
    };
  } catch (error) {
    await service.store.close();
    throw error;
  }
}

/** The clock runs on from that time. */
export async function setClock(service: Service, now: Timestamp): Promise<void> {
  await moveClock(service, ({ machine_time }) => toEpochMs(now) - toEpochMs(machine_time));
  await service.clock.refresh();
}

async function makeFirstTenant(service: Service): Promise<void> {
  const owner = await setUpTenant(service, "Acme", { username: "owner", uid: service.makeUuid() });
  await clientOf(service, owner).call("locations.create", { body: { name: "Main yard" } });
}

let last: { day: LocalDate; image: Promise<Uint8Array> } | undefined;

/** The demo at the start of the day. Cached, because the next test server then starts within 300 ms. */
async function demoImageOf(now: Timestamp): Promise<Uint8Array> {
  const day = new Zone(companies[0].timeZone).dateOf(now);
  if (last?.day !== day) {
    const image = makeDemoImage(fromWholeDay(day));
    last = { day, image };
    // Let the next caller try again.
    image.catch(() => {
      last = undefined;
    });
  }
  return last.image;
}

async function makeDemoImage(dayStart: Timestamp): Promise<Uint8Array> {
  const clock = { now: () => dayStart };
  const service = openService({ data: "the demo in memory", clock, inMemory: { image: null }, isBulk: true });
  try {
    await fillDemoStore(service, clientOf, { seed: 1, jobs: 2000 });
    const image = await service.store.database.image(Number.POSITIVE_INFINITY);
    if (image === null) throw new Error("A store in memory has an image.");
    return image;
  } finally {
    await service.store.close();
  }
}
