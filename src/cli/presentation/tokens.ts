import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of tokens. */
export const tokens = {
  "tokens.list": {
    columns: ["id", "username", "roles", "name", "is_active", "expires_on", "created_on"],
    example: "tokens list",
  },
  "tokens.create": { example: "tokens create --username dana --roles Dispatcher" },
  "tokens.revoke": { example: "tokens revoke 1 --yes" },
  "tokens.rotate": { example: "tokens rotate 1 --yes" },
} satisfies PresentationsOf<"tokens">;
