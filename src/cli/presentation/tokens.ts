import { tellChange } from "./change.ts";
import type { PresentationsOf, Told } from "./presentation.ts";

/** OP-167. */
const whenItStops = `The old token is refused from the next request on; where several servers share a
PostgreSQL, the others refuse it within a second.`;

/** `Token 1 owner revoked; what was made with it ends too: 2, 5, 1 of other tenants`; servers of a version before do not name them. */
const revoked: Told = {
  tell(change, view) {
    const { descendants = [], descendants_elsewhere: elsewhere = 0 } = change.after;
    const ended = [
      ...(Array.isArray(descendants) ? descendants.map(String) : []),
      ...(elsewhere === 0 ? [] : [`${elsewhere} of other tenants`]),
    ];
    const line = tellChange(change, view);
    return ended.length === 0 ? line : `${line}; what was made with it ends too: ${ended.join(", ")}`;
  },
};

/** What the terminal adds to the operations of tokens. */
export const tokens = {
  "tokens.list": {
    columns: ["id", "username", "roles", "name", "is_active", "last_used_on", "expires_on", "created_on"],
    example: "tokens list",
  },
  "tokens.create": { example: "tokens create --username dana --roles Dispatcher" },
  "tokens.revoke": { example: "tokens revoke 1 --yes", notes: whenItStops, told: revoked },
  "tokens.rotate": { example: "tokens rotate 1 --yes", notes: whenItStops },
} satisfies PresentationsOf<"tokens">;
