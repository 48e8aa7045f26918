import type { Command } from "commander";
import { isAllowed } from "../../../core/check-call.ts";
import { rolesOf } from "../../../core/operation.ts";
import { newestVersion } from "../../../models/api-versions.ts";
import { loadOperation, loadOperations } from "../../../operations/index.ts";
import { addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { readSettings } from "../../settings.ts";
import { askWhoami } from "../../target/ask-whoami.ts";
import { createRecordView } from "../../target/record-view.ts";
import { openTarget } from "../../target/target.ts";
import { defineBuiltin } from "../builtin.ts";
import { parseToolChoice, toolsetNames } from "./toolsets.ts";

/** Serves the operations of a store or server to language models, over standard input and output. */
export function mcpCommand(context: CliContext): Command {
  const command = defineBuiltin("mcp", "write")
    .description(
      "Serve the operations of the target as tools of the Model Context Protocol, over standard input and output, until input ends. The tools act with the token or user of the target, and its roles decide which tools are available. Without --allow-writes, the tools only read. Without --toolsets and --tools, it offers the 20 tools that a dispatcher uses every day.",
    )
    .option(
      "--allow-writes",
      "also offer tools that write; each makes a dry run unless the call has dry_run: false",
    )
    .option("--show-secrets", "show signing keys and tokens, which are *** otherwise")
    .option("--toolsets <names>", `tools by subject, separated by commas: ${toolsetNames.join(", ")}`)
    .option("--tools <names>", "single tools, separated by commas, like jobs_list,search_find")
    .option("--api-version <version>", "version of inputs and answers (DISPATCH_API_VERSION)");
  addTargetOptions(command).addHelpText(
    "after",
    "\nTo configure a client: the command is dispatch-cli, and its argument is mcp.\n\nExample:\n  dispatch-cli mcp --allow-writes",
  );
  return command.action(async () => {
    const options = command.opts();
    const isChosen = parseToolChoice(options.toolsets, options.tools);
    const settings = readSettings(context, options);
    const version = settings.apiVersion.value ?? newestVersion;
    const target = await openTarget(context, settings, { isSilent: true });
    try {
      const { readDay } = await import("./day-tool.ts");
      const { toolOperations } = await import("./tools.ts");
      const { createMcpService, serveInput } = await import("./mcp-server.ts");
      const { roles } = target.store?.actor ?? (await askWhoami(target));
      const scope = { allowsWrites: options.allowWrites === true, isChosen, roles, version };
      const operations = toolOperations(await loadOperations(), scope);
      const { client, name, tenant } = target;
      // A tenant chooses its own name, which a model must not read as instructions.
      const place = `${name}, tenant ${tenant.id}`;
      const service = createMcpService({
        client,
        createView: () => createRecordView(target, { isUtc: settings.isUtc, locationId: null }),
        operations,
        // The board reads the list of jobs.
        readDay:
          isChosen({ name: "day" }) && isAllowed(roles, rolesOf(await loadOperation("jobs.list")))
            ? (given) => readDay(target, given)
            : null,
        showsSecrets: options.showSecrets === true,
        target: place,
        version,
      });
      await serveInput(service, context);
    } finally {
      await target.close();
      context.stdin.destroy();
    }
  });
}
