import type { Context } from "../../core/context.ts";
import type { ChatParty } from "../../models/chat.ts";
import { found } from "../records.ts";

/** The conversation of a driver with the dispatchers, and the sides that the caller can take in it. */
export interface Conversation {
  driver: { id: number; location_id: number; name: string };
  /** The caller as a dispatcher; null when it is none. */
  asDispatcher: ChatParty | null;
  /** The caller as the driver; null when it is another. */
  asDriver: ChatParty | null;
}

/**
 * The conversation of the path. A driver takes part in its own only; that of another driver is the same 404 as that of one
 * who is not there.
 */
export async function requireConversation(context: Context, driverId: number): Promise<Conversation> {
  const { actor, store } = context;
  const { roles, user } = actor;
  const isDispatcher = roles.includes("Admin") || roles.includes("Dispatcher");
  const isDriver = roles.includes("Driver") && user.driver_id === driverId;
  const seen = isDispatcher || isDriver ? await store.chats.findDriver(driverId) : undefined;
  return {
    driver: found(seen, "driver", driverId),
    asDispatcher: isDispatcher ? { id: user.id, type: "dispatcher" } : null,
    asDriver: isDriver ? { id: driverId, type: "driver" } : null,
  };
}

/** Whether the caller is one of the two that a message is between. */
export function isSelf({ asDispatcher, asDriver }: Conversation, { id, type }: ChatParty): boolean {
  return (type === "driver" ? asDriver : asDispatcher)?.id === id;
}
