import { isLive } from "../../auth/tokens.ts";
import type { Service } from "../../core/service.ts";
import type { Token } from "../../store/queries/tokens.ts";

/** A token as the interface shows it; `text` is the token itself, known only when it is made. */
export function toTokenAnswer(service: Pick<Service, "clock">, token: Token, text: string | null = null) {
  return { ...token, is_active: isLive(token, service), token: text };
}
