import { isLive } from "../../auth/tokens.ts";
import type { Service } from "../../core/service.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Token } from "../../store/queries/tokens.ts";

/** What is known of a token besides its record. */
interface TokenFacts {
  /** When it last called, in any tenant; servers write it down once a minute. */
  lastUsedOn: Timestamp | null;
  /** The token itself, known only when it is made. */
  text?: string;
}

/** A token as the interface shows it. */
export function toTokenAnswer(
  service: Pick<Service, "clock">,
  token: Token,
  { lastUsedOn, text }: TokenFacts,
) {
  return { ...token, is_active: isLive(token, service), last_used_on: lastUsedOn, token: text ?? null };
}
