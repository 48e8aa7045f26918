import type { BoardRequest } from "../../../board/load-board.ts";
import { readZones } from "../../../board/read-zones.ts";
import type { CliContext } from "../../context.ts";
import { readTypedDay, tellRead, toTypedAt } from "../../input/typed-time.ts";
import type { Settings } from "../../settings.ts";
import type { Target } from "../../target/target.ts";

/** Default: today at the location. Also returns a message with the interpretation. */
export async function readDayRequest(
  context: CliContext,
  settings: Settings,
  target: Target,
  { date, locationId }: { date: string | undefined; locationId: number | null },
): Promise<BoardRequest> {
  const now = target.clock.now();
  const zones = await readZones(target, settings.isUtc);
  const { note, time } = readTypedDay(date, toTypedAt(settings, zones.of(locationId), now), "The day");
  tellRead(context, note);
  return { date: time, locationId, now, tenant: target.tenant, zones };
}
