import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Loads luxon late, because most commands need no zones. The build of the pages replaces this module. */
export function loadLuxon(): typeof import("luxon") {
  return require("luxon");
}
