import { Argument, Command, Option } from "commander";
import { type Shell, shells, toReplies } from "../../completion/replies.ts";
import { parseShellLine } from "../../completion/shell-line.ts";
import type { CliContext } from "../../context.ts";
import type { Program } from "../../program.ts";

/** Prints a shell's script for completion, which calls the program back with the line that is being typed. */
export function completionCommand(context: CliContext, program: Program): Command {
  const command = new Command("completion")
    .description(
      "Print the script that makes a shell complete the program's commands, options and values, ids of the target's records among them.",
    )
    .addArgument(new Argument("<shell>", "your shell").choices(shells))
    .addOption(new Option("--complete <line>").hideHelp())
    .addOption(new Option("--breaks <characters>").default("").hideHelp())
    .addOption(new Option("--lists").hideHelp())
    .addHelpText("after", `\n${installation}\n\nExample:\n  dispatch-cli completion bash`);
  return command.action(async (shell: Shell) => {
    const { breaks, complete, lists = false } = command.opts();
    if (complete === undefined) {
      const { completionScripts } = await import("../../completion/scripts.ts");
      return void context.stdout.write(completionScripts[shell]);
    }
    // Who types waits for nothing that a slow target still answers.
    context.host?.abandonWork();
    const line = parseShellLine(complete);
    const { findCandidates } = await import("../../completion/find-candidates.ts");
    // Who types reads no errors.
    const candidates = await findCandidates(context, program, line).catch(() => []);
    const replies = toReplies(shell, candidates, line, { breaks, listsOnly: lists });
    context.stdout.write(replies.map((reply) => `${reply}\n`).join(""));
  });
}

const installation = `To use it in every new shell:
  bash  add to ~/.bashrc:  eval "$(dispatch-cli completion bash)"
  zsh   add to ~/.zshrc:   eval "$(dispatch-cli completion zsh)"
  fish  add to ~/.config/fish/config.fish:  dispatch-cli completion fish | source`;
