import type { PresentationsOf } from "./presentation.ts";

/** OP-167. */
const whenItStops = `The old token is refused from the next request on; where several servers share a
PostgreSQL, the others refuse it within a second.`;

/** What the terminal adds to the operations of tokens. */
export const tokens = {
  "tokens.list": {
    columns: ["id", "username", "roles", "name", "is_active", "last_used_on", "expires_on", "created_on"],
    example: "tokens list",
  },
  "tokens.create": { example: "tokens create --username dana --roles Dispatcher" },
  "tokens.revoke": { example: "tokens revoke 1 --yes", notes: whenItStops },
  "tokens.rotate": { example: "tokens rotate 1 --yes", notes: whenItStops },
} satisfies PresentationsOf<"tokens">;
