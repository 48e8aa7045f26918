import type { Command } from "commander";
import type { CliContext } from "../../context.ts";
import type { Program } from "../../program.ts";
import { defineBuiltin } from "../builtin.ts";

export function manCommand(context: CliContext, program: Program): Command {
  const command = defineBuiltin("man", "read")
    .description("Read the manual page. In a pipe, print it as roff.")
    .addHelpText(
      "after",
      "\nTo install it:\n  dispatch-cli man > ~/.local/share/man/man1/dispatch-cli.1\n\nExample:\n  dispatch-cli man",
    );
  return command.action(async () => {
    const { toManPage } = await import("../../help/man-page.ts");
    const page = await toManPage(await program.wholeTree());
    const { readManPage } = await import("./read-man-page.ts");
    if (!(await readManPage(context, page))) context.stdout.write(page);
  });
}
