import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { toShellWord } from "./shell-word.ts";

/** For packages next to this one: npm would install them inside, as optional dependencies, and hide failures. */
export function toInstallCommand(packages: string): string {
  const own = join(dirname(fileURLToPath(import.meta.url)), "..");
  const [project = own, isOfPnpm] = own.split(/[\\/]node_modules[\\/]\.pnpm[\\/]/);
  if (isOfPnpm !== undefined) return `cd ${toShellWord(project)} && pnpm add ${packages}`;
  const place = basename(dirname(own)) === "node_modules" ? join(own, "../..") : own;
  if (existsSync(join(place, "package.json")))
    return `cd ${toShellWord(place)} && npm install --omit=dev ${packages}`;
  // The folder of global packages has no package.json. On Windows it is the prefix itself.
  const prefix = basename(place) === "lib" ? dirname(place) : place;
  return `npm install --global --prefix ${toShellWord(prefix)} ${packages}`;
}
