import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * Loads luxon with the first time that needs it: most commands need none, and luxon would be half of their start. The
 * build of the pages replaces this module, because a browser has no `require`.
 */
export function loadLuxon(): typeof import("luxon") {
  return require("luxon");
}
