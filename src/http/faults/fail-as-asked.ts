import type { Actor } from "../../core/actor.ts";
import type { HttpRequest } from "../http-messages.ts";
import type { QueuePlace } from "../request-queues.ts";
import { askedRefusal, faultHeader, type HeldRequests, parseFault } from "./fault.ts";

/** The server closes the connection without a response. */
export class UnansweredRequest extends Error {}

/** Runs the requested fault. Returns a function that withholds the response, or null. May throw. */
export type FailAsAsked = (
  request: HttpRequest,
  actor: Actor,
  place: QueuePlace,
) => Promise<(() => Promise<never>) | null>;

export function createFailAsAsked(
  held: HeldRequests,
  takeTurn: (place: QueuePlace, request: HttpRequest) => Promise<void>,
): FailAsAsked {
  return async (request, { scope: { tenantId } }, place) => {
    const { client, headers } = request;
    const asked = headers[faultHeader];
    if (asked === undefined) return null;
    const fault = parseFault(asked);
    if (fault.kind === "503") throw askedRefusal();
    const withhold = async (): Promise<never> => {
      place.leave();
      if (fault.kind === "timeout") await held.silence(tenantId, client);
      throw new UnansweredRequest();
    };
    if (fault.kind === "slow") {
      place.leave();
      await held.delay(fault.ms, tenantId, client);
      await takeTurn(place, request);
      return null;
    }
    return fault.isDone ? withhold : withhold();
  };
}
