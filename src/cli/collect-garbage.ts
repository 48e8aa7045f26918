import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | null = null;

/**
 * Has the engine look for garbage now. By itself it lets what a long walk leaves behind grow to several times of what is
 * in use, so the memory that an export takes would depend on the machine more than on the export.
 */
export function collectGarbage(): void {
  if (collect === null) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
}
