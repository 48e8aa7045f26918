import envPaths from "env-paths";
import type { Service } from "../core/service.ts";
import { setUpTenant } from "../core/setup.ts";
import { openService, type ServiceOptions } from "../local/open-service.ts";
import { systemClock, type Timestamp, toEpochMs } from "../runtime/clock.ts";
import { makeSandbox, moveClock } from "../store/store-clock.ts";
import { clientOf } from "./client-of.ts";
import { readDemoImage } from "./demo-image.ts";
import { findOwner, makeOwnerToken } from "./make-token.ts";

export interface SandboxOptions {
  /** With the records of the demo; otherwise a tenant and a location alone. */
  demo: boolean;
  /** What its clock shows at first; by default the machine's time. */
  now?: Timestamp;
  /** Names the token. */
  tokenName: string;
  /** What else its service is told. */
  service?: Omit<ServiceOptions, "clock" | "create" | "data" | "inMemory">;
}

/** A sandbox store in memory, and how to work with it as its first tenant's owner. */
export interface OpenSandbox {
  service: Service;
  /** What the service was opened with. */
  options: ServiceOptions;
  token: string;
  tenantId: number;
  locationId: number;
}

/** Opens a sandbox store in memory, which is gone when its service's store is closed. */
export async function openSandbox({
  demo,
  now,
  service: given,
  tokenName,
}: SandboxOptions): Promise<OpenSandbox> {
  const image = demo ? await readDemoImage(now ?? systemClock.now(), cacheFolder()) : null;
  const options = { ...given, data: "a store in memory", inMemory: { image } };
  const service = openService(options);
  try {
    if (!demo) await makeSandbox(service);
    if (now !== undefined) await setClock(service, now);
    if (!demo) await makeFirstTenant(service);
    const tenantId = (await service.store.accounts.tenants())[0]?.id ?? 0;
    const owner = await findOwner(service, tenantId);
    const locations = await clientOf({ service }, owner).list("locations.list");
    const locationId = Math.min(...locations.map(({ id }) => id));
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

/** A program that runs from its source may have changed since an image was kept. */
const cacheFolder = () =>
  import.meta.url.endsWith(".ts") ? null : envPaths("dispatch-cli", { suffix: "" }).cache;

/** Has a sandbox's clock show a time; it goes on from there. */
export async function setClock(service: Service, now: Timestamp): Promise<void> {
  await moveClock(service, ({ machine_time }) => toEpochMs(now) - toEpochMs(machine_time));
  await service.clock.refresh();
}

async function makeFirstTenant(service: Service): Promise<void> {
  const owner = await setUpTenant(service, "Acme", { username: "owner", uid: service.makeUuid() });
  await clientOf({ service }, owner).call("locations.create", { body: { name: "Main yard" } });
}
