import type { Context } from "../../core/context.ts";
import { completesAsDriver } from "../../models/job-requirements.ts";

/**
 * The id that stands for the caller in what it does with a job (OP-94): of the driver that it is, when only a driver role
 * lets it do so; else of its user, as where the driver's number means another user.
 */
export async function findOwnId({ actor: { roles, user }, store }: Context): Promise<number> {
  const { driver_id: driverId } = user;
  if (driverId === null || !completesAsDriver(roles)) return user.id;
  const person = await store.people.find(driverId);
  return person?.kind === "driver" ? driverId : user.id;
}
