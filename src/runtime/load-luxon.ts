import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * Luxon, loaded with the first time that needs it: most commands read none, and it would be half of their start. The build
 * of the pages puts it in place of this module, because a browser requires nothing.
 */
export function loadLuxon(): typeof import("luxon") {
  return require("luxon");
}
