import type { PresentationsOf, Told } from "./presentation.ts";

/** What the terminal adds to the operations of erasures. */
export const erasures = {
  "erasures.list": {
    columns: ["id", "record_type", "record_id", "erased_on", "finished_on", "user_id"],
    example: "erasures list --since 2026-11-01",
    notes: `After the restore of an older backup, what was erased since that backup is back: the list of
the former store tells what to erase again.`,
  },
} satisfies PresentationsOf<"erasures">;

/** `Customer 3 erased, with 2 addresses and 14 jobs, and 61 rows of its history`. */
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

/** What its commands say in their help. */
export const erasingNotes = `--dry-run shows how much there is, and changes nothing. What is erased cannot be brought back,
not by \`undo\` either; a restored backup has it again, see \`erasures list\`.`;

/** What comes after an erasure that was begun. */
export const afterErasing = ({ finished_on }: Readonly<Record<string, unknown>>): string =>
  finished_on === null
    ? "Erasing its history goes on: a server does it by itself, `dispatch-cli prune` does it now."
    : "It is erased everywhere in the store. Earlier backups still have it: `dispatch-cli erasures list` tells what to erase again after a restore.";
