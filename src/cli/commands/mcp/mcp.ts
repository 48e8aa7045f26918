import type { Command } from "commander";
import { usageFailure } from "../../../errors/errors.ts";
import { parseToolChoice, type ToolNames, toolsetNames } from "../../../mcp/toolsets.ts";
import { newestVersion } from "../../../models/api-versions.ts";
import { addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { readSettings } from "../../settings.ts";
import { askWhoami } from "../../target/ask-whoami.ts";
import { openTarget } from "../../target/target.ts";
import { defineBuiltin } from "../builtin.ts";

export function mcpCommand(context: CliContext): Command {
  const command = defineBuiltin("mcp", "write")
    .description(
      "Serve the operations of the target as tools of the Model Context Protocol, over standard input and output, until input ends. The tools act with the token or user of the target, and its roles decide which tools are available. Without --allow-writes, the tools only read. Without --toolsets and --tools, it offers the tools that a dispatcher uses every day: 11, or 20 with --allow-writes.",
    )
    .option(
      "--allow-writes",
      "also offer tools that write; each makes a dry run unless the call has dry_run: false",
    )
    .option("--show-secrets", "show signing keys and tokens, which are *** otherwise")
    .option("--toolsets <names>", `tools by subject, separated by commas: ${toolsetNames.join(", ")}`)
    .option("--tools <names>", "single tools, separated by commas, like jobs_list,search_find")
    .option("--api-version <version>", "version of inputs and answers (DISPATCH_API_VERSION)");
  addTargetOptions(command).addHelpText("after", notes);
  return command.action(async () => {
    const options = command.opts<ToolNames & Record<string, unknown>>();
    const isChosen = parseToolChoice(options, refuseNames);
    const settings = readSettings(context, options);
    const version = settings.apiVersion.value ?? newestVersion;
    const target = await openTarget(context, settings, { isSession: true, isSilent: true });
    try {
      const { createMcpService } = await import("../../../mcp/mcp-service.ts");
      const { serveInput } = await import("./serve-input.ts");
      const { roles } = target.store?.actor ?? (await askWhoami(target));
      const { client, clock, name, tenant } = target;
      const service = await createMcpService({
        allowsWrites: options.allowWrites === true,
        isChosen,
        onFault: (error) => {
          throw error;
        },
        // A tenant chooses its own name, which a model must not read as instructions.
        place: `${name}, tenant ${tenant.id}`,
        roles,
        showsSecrets: options.showSecrets === true,
        target: { client, clock, isUtc: settings.isUtc, tenant },
        version,
        waysOn: {
          tools: "its options --toolsets and --tools choose the tools",
          writes: "its option --allow-writes adds the others",
        },
      });
      await serveInput(service, context);
    } finally {
      await target.close();
      context.stdin.destroy();
    }
  });
}

const refuseNames = (detail: string, part: keyof ToolNames) =>
  usageFailure(
    detail,
    part === "toolsets"
      ? `Choose from ${toolsetNames.join(", ")}.`
      : "`dispatch-cli commands` lists all operations; jobs add-item is the tool jobs_add_item.",
  );

const notes = `
To connect Claude Code, Codex, or Visual Studio Code:
  claude mcp add dispatch -- dispatch-cli mcp
  codex mcp add dispatch -- dispatch-cli mcp
  code --add-mcp '{"name":"dispatch","command":"dispatch-cli","args":["mcp"]}'

Claude Desktop (claude_desktop_config.json) and Cursor (.cursor/mcp.json) read:
  {"mcpServers":{"dispatch":{"command":"dispatch-cli","args":["mcp"]}}}

A server answers POST /mcp too, so that its clients need no program.

Example:
  dispatch-cli mcp --allow-writes`;
