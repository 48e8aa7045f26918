import { afterErasing, erasingNotes, toldErased } from "./erasures.ts";
import type { Card, PresentationsOf } from "./presentation.ts";

/** What a user may do, where, and as whom. Its other ids are for programs. */
const userCard: Card = { leads: {}, tells: ["dispatcher_id", "uid"] };

/** What the terminal adds to the operations of users. */
export const users = {
  "users.list": {
    columns: ["id", "username", "roles", "location", "driver"],
    partly: "username",
    example: 'users list --location 1 --username "d*"',
  },
  "users.get": { card: userCard, example: "users get 3 --location 1" },
  "users.create": { example: "users create --location 1 --username robin --roles Dispatcher" },
  "users.update": {
    cures: () => "binds it",
    example: "users update 3 --location 1 --roles Dispatcher,CrmUser",
    notes: `--is-active false deactivates a user: it can do nothing any more, with any token.
A user's record does not say whether it is active. Those who are not:
  dispatch-cli users list --location <id> --active false`,
  },
  "users.erase": {
    example: "users erase 3 --location 1 --yes",
    next: afterErasing,
    notes: erasingNotes,
    told: toldErased,
  },
} satisfies PresentationsOf<"users">;
