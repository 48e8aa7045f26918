import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * Most commands need no time zones, and luxon would take half of their start. The build of the pages replaces this
 * module, because a browser has no `require`.
 */
export function loadLuxon(): typeof import("luxon") {
  return require("luxon");
}
