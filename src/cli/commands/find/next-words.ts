import type { Caller } from "../../../core/caller.ts";
import type { OptionValues } from "../../context.ts";
import { type FoundHit, toJobWords, toName } from "./job-words.ts";

/** The words of the command that is most often the next for a record that was found. */
export async function toNextWords(caller: Caller, hit: FoundHit, options: OptionValues): Promise<string[]> {
  const nameAs = (field: string) => toName(caller, field, hit, {});
  switch (hit.kind) {
    case "customer":
      return [...(await toJobWords(caller, hit, options)), "--type", "drop-off"];
    case "job":
      return ["jobs", "get", await nameAs("job_id")];
    case "driver":
      return ["drivers", "get", await nameAs("driver_id")];
    case "truck":
      return ["day", "print", "--truck", await nameAs("truck_id"), "--out", `${toFileName(hit.name)}.pdf`];
  }
}

/** `M-104 Hook lift` as `m-104-hook-lift`. */
function toFileName(name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["truck"];
  return words.join("-");
}
