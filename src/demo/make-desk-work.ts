import { type Actor, toActor } from "../auth/actor.ts";
import { toTimestamp } from "../runtime/clock.ts";
import { dayInMs, hourInMs } from "./calendar.ts";
import { clientOf } from "./client-of.ts";
import type { Company, Filling } from "./yard.ts";

/** How many jobs `makeDeskJobs` makes, unless there are to be fewer at all. */
export const deskJobsMax = 2;

/**
 * Makes the store's first jobs, for tomorrow: job 1 waits for a truck, job 2 is on the third. The examples in the help
 * name them, whatever day it is, and unlike the other jobs they have a timeline. They come before the webhooks, so
 * nothing is owed to those.
 */
export async function makeDeskJobs(
  filling: Filling,
  { yards: [yard] }: Company,
  { atMs, count }: { atMs: number; count: number },
): Promise<void> {
  const { clock, todayMs } = filling;
  const [desk] = yard.dispatchers;
  const truckId = yard.crews[2]?.truckId;
  if (!desk || truckId === undefined) throw new Error("The demo plans no desk, or too few trucks.");
  const client = clientOf(filling, desk);
  const params = { location_id: yard.id };
  const tomorrow = toTimestamp(todayMs + dayInMs);
  for (const [index, site] of yard.sites.slice(0, count).entries()) {
    clock.moveTo(atMs + index * hourInMs);
    const body = {
      address_id: site.addressId,
      asset_type_id: yard.assetTypeIds["20-yard roll-off"],
      dispatch_priority: "M",
      requested_by: site.customerId,
      schedule_date: tomorrow,
      type: "D",
    } as const;
    await client.call("jobs.create", { params, body });
    if (index === 0) continue;
    clock.moveTo(atMs + (index + 1) * hourInMs);
    // Nothing else has made a job yet, so the ids follow from the order.
    const job = { ...params, job_id: index + 1 };
    await client.call("jobs.dispatch", { params: job, body: { truck_id: truckId } });
  }
}

/** What the desk and the first driver wrote to each other today; the desk's message is read last, and the driver is where it says. */
export async function makeChats(filling: Filling, { tenantId, yards: [yard] }: Company): Promise<void> {
  const { clock, nowMs, service } = filling;
  const [desk] = yard.dispatchers;
  const driver = await findFirstDriver(service.store, tenantId, yard.plan.trucks[0]?.driverUsername);
  const driverId = driver?.user.driver_id;
  if (!desk || !driver || !driverId) throw new Error("The demo plans no desk, or no driver.");
  const params = { driver_id: driverId };
  const toDriver = { id: driverId, type: "driver" } as const;
  const toDesk = { id: desk.user.id, type: "dispatcher" } as const;
  clock.moveTo(nowMs - 2 * hourInMs);
  const text = "The gate code at the next stop is 4711.";
  await clientOf(filling, desk).call("chats.send", { params, body: { receiver: toDriver, text } });
  clock.moveTo(nowMs - hourInMs);
  const reply = "Thanks. I am at the landfill, some 20 minutes of queue.";
  const client = clientOf(filling, driver);
  await client.call("chats.send", { params, body: { receiver: toDesk, text: reply } });
  const [landfill] = yard.landfills;
  if (!landfill) throw new Error("The demo plans no landfill.");
  const coords = { latitude: landfill.latitude, longitude: landfill.longitude };
  const timestamp = toTimestamp(nowMs - hourInMs);
  await client.call("gps.record", {
    params: { location_id: yard.id },
    body: { location: { coords, timestamp } },
  });
}

async function findFirstDriver(
  { accounts }: Filling["service"]["store"],
  tenantId: number,
  username: string | undefined,
): Promise<Actor | null> {
  const user = username === undefined ? undefined : await accounts.findUser(tenantId, username);
  return user ? toActor(tenantId, user, null, null) : null;
}
