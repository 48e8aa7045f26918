import { toPosition } from "./position.ts";
import type { PresentationsOf, Told } from "./presentation.ts";

/** `Drew on Truck 7 is at 38.9, -77`. */
const toldRecorded: Told = {
  tell: ({ after }, view) => {
    const truck = view.nameIn(after, "truck_id");
    const who = `${view.nameIn(after, "driver_id")}${truck === null ? "" : ` on ${truck}`}`;
    const position = toPosition(after);
    return position === "" ? `The time of ${who} is recorded, without a place` : `${who} is at ${position}`;
  },
  names: ["driver_id", "truck_id"],
};

/** What the terminal adds to the operations of gps. */
export const gps = {
  "gps.last": {
    columns: ["truck", "measured_on", "position", "velocity", "bearing", "driver"],
    cells: { position: toPosition },
    example: "gps last --location 1",
  },
  "gps.record": {
    told: toldRecorded,
    example: `gps record --location 1 --as drew --position '{"coords":{"latitude":38.9,"longitude":-77},"timestamp":"2026-01-05T08:30:00Z"}'`,
  },
} satisfies PresentationsOf<"gps">;
