import { Argument, type Command, Option } from "commander";
import { parseShellLine, type Shell, shells, toReplies } from "../../completion/replies.ts";
import type { CliContext } from "../../context.ts";
import type { Program } from "../../program.ts";
import { defineBuiltin } from "../builtin.ts";

/** The script calls this command with the current line. */
export function completionCommand(context: CliContext, program: Program): Command {
  const command = defineBuiltin("completion", "read")
    .description(
      "Print a script for shell completion of commands, options, and values, including records of the target.",
    )
    .addArgument(new Argument("<shell>", "your shell").choices(shells))
    .addOption(new Option("--complete <line>").hideHelp())
    .addOption(new Option("--breaks <characters>").default("").hideHelp())
    .addOption(new Option("--lists").hideHelp())
    .addHelpText("after", `\n${installation}\n\nExample:\n  dispatch-cli completion bash`);
  return command.action(async (shell: Shell) => {
    const { breaks, complete, lists = false } = command.opts();
    if (complete === undefined) {
      return void context.stdout.write(completionScripts[shell]);
    }
    // A slow target must not delay the shell.
    context.host?.abandonWork();
    const line = parseShellLine(complete);
    const { findCandidates } = await import("../../completion/find-candidates.ts");
    // The shell cannot show errors.
    const candidates = await findCandidates(context, program, line).catch(() => []);
    const replies = toReplies(shell, candidates, line, { breaks, listsOnly: lists });
    context.stdout.write(replies.map((reply) => `${reply}\n`).join(""));
  });
}

const installation = `To use it in every new shell:
  bash  add to ~/.bashrc:  eval "$(dispatch-cli completion bash)"
  zsh   add to ~/.zshrc:   eval "$(dispatch-cli completion zsh)"
  fish  add to ~/.config/fish/config.fish:  dispatch-cli completion fish | source`;

const completionScripts: Readonly<Record<Shell, string>> = {
  bash: `# Completion of dispatch-cli for bash. In ~/.bashrc:
#   eval "$(dispatch-cli completion bash)"
_dispatch_cli() {
  local kind reply lists=
  # Menus insert what they show, so they get the words alone.
  case \${COMP_TYPE:-9} in 37 | 42) ;; *) lists=--lists ;; esac
  COMPREPLY=()
  {
    IFS= read -r kind
    while IFS= read -r reply; do COMPREPLY+=("$reply"); done
  } < <("$1" completion bash --breaks="$COMP_WORDBREAKS" $lists --complete="\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  if [ "$kind" = files ]; then
    compopt -o default 2>/dev/null || {
      local IFS=$'\\n'
      COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
    }
  fi
}
complete -o nosort -F _dispatch_cli dispatch-cli 2>/dev/null || complete -F _dispatch_cli dispatch-cli
`,
  zsh: `#compdef dispatch-cli
# Completion of dispatch-cli for zsh. In ~/.zshrc, after compinit:
#   eval "$(dispatch-cli completion zsh)"
_dispatch_cli() {
  local -a replies
  replies=("\${(@f)$("\${words[1]}" completion zsh --complete="\${(j: :)words[1,CURRENT]}" 2>/dev/null)}")
  if [[ "\${replies[1]}" == files ]]; then
    _files
  else
    replies=("\${(@)replies[2,-1]}")
    _describe -V dispatch-cli replies
  fi
}
compdef _dispatch_cli dispatch-cli
`,
  fish: `# Completion of dispatch-cli for fish. In ~/.config/fish/config.fish:
#   dispatch-cli completion fish | source
function __dispatch_cli
    set -l replies (dispatch-cli completion fish --complete=(commandline -cp | string collect -N) 2>/dev/null)
    if test "$replies[1]" = files
        __fish_complete_path (commandline -ct)
    else
        printf '%s\\n' $replies[2..-1]
    end
end
complete -c dispatch-cli -f -k -a '(__dispatch_cli)'
`,
};
