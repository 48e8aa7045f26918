import { Command } from "commander";
import type { CliContext } from "../../context.ts";
import type { Program } from "../../program.ts";

/** Prints the manual page of the program as it is. */
export function manCommand(context: CliContext, program: Program): Command {
  const command = new Command("man")
    .description("Print the manual page, for `man -l` or a folder of manuals.")
    .addHelpText(
      "after",
      "\nTo read it:    dispatch-cli man | man -l -\nTo install it: dispatch-cli man > ~/.local/share/man/man1/dispatch-cli.1\n\nExample:\n  dispatch-cli man",
    );
  return command.action(async () => {
    const { toManPage } = await import("../../help/man-page.ts");
    context.stdout.write(await toManPage(await program.wholeTree()));
  });
}
