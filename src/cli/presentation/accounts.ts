import { isObject } from "../../models/json.ts";
import { retentionKinds } from "../../models/retention.ts";
import { toMarkCells } from "./cells.ts";
import { tellChange } from "./change.ts";
import type { Card, PresentationsOf, Told } from "./presentation.ts";

const userCard: Card = { leads: {}, tells: ["dispatcher_id", "uid"] };

const whenItStops = `The old token stops working at once; on other servers that share the PostgreSQL
database, within a second.`;

/** `Token 1 owner revoked, with the tokens created with it: 2, 5, 1 of other tenants`. */
const revoked: Told = {
  tell(change, view) {
    const { descendants, descendants_elsewhere: elsewhere = 0 } = change.after;
    const ended = [
      ...(Array.isArray(descendants) ? descendants.map(String) : []),
      ...(elsewhere === 0 ? [] : [`${elsewhere} of other tenants`]),
    ];
    const line = tellChange(change, view);
    return ended.length === 0 ? line : `${line}, with the tokens created with it: ${ended.join(", ")}`;
  },
};

/** `Customer 3 erased, with 2 addresses, 14 jobs, 61 rows of its history`. */
export const toldErased: Told = {
  tell: ({ after }) => {
    const parts = counted
      .filter(([name]) => Number(after[name]) > 0)
      .map(([name, one]) => `${after[name]} ${Number(after[name]) === 1 ? one : name}`);
    const history = `${after.rows_changed} ${after.rows_changed === 1 ? "row" : "rows"} of its history`;
    const [noun = ""] = Object.entries(types).find(([, type]) => type === after.record_type) ?? [];
    return `${noun} ${after.record_id} erased, with ${[...parts, history].join(", ")}`;
  },
};

const types = { Contact: "CustomerContact", Customer: "Customer", User: "User" };

const counted = [
  ["addresses", "address"],
  ["contacts", "contact"],
  ["jobs", "job"],
  ["assets", "asset"],
  ["drivers", "driver"],
  ["tokens", "token"],
] as const;

export const erasingNotes = `--dry-run shows what would be erased, and changes nothing. Erased data cannot be brought back,
not even by \`undo\`. An older backup still has it, see \`erasures list\`.`;

export const afterErasing = ({ finished_on }: Readonly<Record<string, unknown>>): string =>
  finished_on === null
    ? "A server erases the rest of its history in the background; `dispatch-cli prune` does it now."
    : "Nothing is left in the store. Earlier backups still have the data: after a restore, `dispatch-cli erasures list` shows what to erase again.";

export const presentations = {
  "users.list": {
    columns: ["id", "username", "roles", "location", "driver"],
    partly: "username",
    example: 'users list --location 1 --username "d*"',
  },
  "users.get": { card: userCard, example: "users get 3 --location 1" },
  "users.create": {
    limitsToLocation: true,
    example: 'users create --username robin --roles Dispatcher --location "Main yard"',
    notes: "--location limits what the user sees to that location; without it the user sees all locations.",
  },
  "users.update": {
    cures: () => "binds it",
    example: "users update 3 --location 1 --roles Dispatcher,CrmUser",
    notes: `--is-active false deactivates a user: all its tokens stop working.
A user's record does not say whether it is active. To list deactivated users:
  dispatch-cli users list --location <id> --active false`,
  },
  "users.erase": {
    example: "users erase 3 --location 1 --yes",
    next: afterErasing,
    notes: erasingNotes,
    told: toldErased,
  },
  "tokens.list": {
    columns: ["id", "username", "roles", "name", "is_active", "last_used_on", "expires_on", "created_on"],
    example: "tokens list",
  },
  "tokens.create": { example: "tokens create --username dana --roles Dispatcher" },
  "tokens.revoke": { example: "tokens revoke 1 --yes", notes: whenItStops, told: revoked },
  "tokens.rotate": { example: "tokens rotate 1 --yes", notes: whenItStops },
  "tenants.list": {
    cures: () => "shows it",
    cells: toMarkCells(),
    columns: ["id", "name", "code", "city", "state", "time_zone", "marks"],
    example: "tenants list",
  },
  "tenants.create": {
    example: 'tenants create --name "Initech" --code INITECH --truck-limit 20',
    next: ({ id }) =>
      `Work in it with --tenant ${id}. \`tenants list\` shows the tenants of the acting user; add --tenant ${id} to see all tenants of the new owner.`,
  },
  "tenants.update": {
    example: "tenants update 1 --phone 202-555-0100 --paper a4",
    verbs: [
      {
        verb: "freeze",
        body: {},
        example: 'tenants freeze 1 --frozen-reason "Moving to another server"',
        keeps: ["frozen_reason"],
        requires: ["frozen_reason"],
        summary: "Freeze a tenant: reads work, changes are refused",
        told: {
          tell: ({ after: { frozen_reason, id, name } }) =>
            `Tenant ${id} ${name} is frozen: ${frozen_reason}`,
        },
      },
      {
        verb: "unfreeze",
        body: { frozen_reason: null },
        keeps: [],
        example: "tenants unfreeze 1",
        summary: "End the freezing of a tenant",
        told: { tell: ({ after: { id, name } }) => `Tenant ${id} ${name} can be changed again` },
      },
    ],
  },
  "tenants.delete": {
    example: "tenants delete 1 --yes",
    told: {
      tell: ({ after: { deletes_on, id, name } }) =>
        `Tenant ${id} ${name} is inactive. All its rows are deleted on ${String(deletes_on).slice(0, 10)}.`,
    },
    next: ({ id }) =>
      `To keep it: \`dispatch-cli tenants update ${id} --is-active true\`. For an archive: \`dispatch-cli store copy --tenant ${id} --from <store> --to <file>\`.`,
    notes: `Servers of the store delete the rows after these days, and so does \`dispatch-cli prune\`.
Backups still have them. --days 0 leaves no time to change your mind.`,
  },
  "erasures.list": {
    columns: ["id", "record_type", "record_id", "erased_on", "finished_on", "user_id"],
    example: "erasures list --since 2026-11-01",
    notes: `A backup from before an erasure still has the data. After a restore, erase it
again; the list in the previous store shows the records.`,
  },
  "retention.show": { example: "retention show" },
  "retention.update": {
    example: "retention update --events 30d --audit forever",
    notes: "`retention set events=30d audit=forever` is shorter, and accepts several tenants.",
    told: {
      tell: ({ after }) =>
        `Kept: ${Object.values(after)
          .filter(isObject)
          .map(({ kept_for, kind }) => `${kind} ${kept_for}`)
          .join(", ")}`,
    },
  },
  "retention.apply": {
    example: "retention apply --kinds gps,chats",
    notes: "`prune` continues until nothing is left, and can show first what it would remove.",
    told: {
      tell: ({ after }) => `Removed: ${retentionKinds.map((kind) => `${after[kind]} ${kind}`).join(", ")}`,
    },
  },
} satisfies PresentationsOf<"users" | "tokens" | "tenants" | "erasures" | "retention">;
