import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * Loads luxon, at once, with the first date or time that needs it: most commands read none, and it is a quarter of all code
 * that a list would load otherwise. A bundle for browsers puts another file in place of this one.
 */
export function loadLuxon(): typeof import("luxon") {
  return require("luxon");
}
