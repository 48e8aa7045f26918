import { Command } from "commander";
import type { World } from "../world.ts";
import { exportAllCommand } from "./export-all.ts";

/** Writes records to files. */
export function exportCommand(world: World): Command {
  return new Command("export")
    .description("Write records to a file.")
    .helpCommand(false)
    .addCommand(exportAllCommand(world));
}
