import { Command } from "commander";
import type { World } from "../world.ts";
import { importAllCommand } from "./import-all.ts";

/** Takes records from files. */
export function importCommand(world: World): Command {
  return new Command("import")
    .description("Take records from a file.")
    .helpCommand(false)
    .addCommand(importAllCommand(world));
}
