import type { Command } from "commander";
import { newestVersion } from "../../../models/api-versions.ts";
import { loadOperations } from "../../../operations/index.ts";
import { addProfileOption } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { tellJson } from "../../output/tell.ts";
import { readSettings } from "../../settings.ts";
import { defineBuiltin } from "../builtin.ts";

export function openapiCommand(context: CliContext): Command {
  const command = defineBuiltin("openapi", "read")
    .description("Show the OpenAPI 3.1 document of an API version.")
    .option("--api-version <version>", "API version to describe (DISPATCH_API_VERSION); default: the newest");
  addProfileOption(command).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli openapi --api-version 2021/04/07 > openapi.json",
  );
  return command.action(async () => {
    const { apiVersion, url } = readSettings(context, command.opts());
    const { atServer, toOpenapi } = await import("../../../openapi/document.ts");
    const document = toOpenapi(await loadOperations(), apiVersion.value ?? newestVersion);
    tellJson(
      context.stdout,
      url.value === null ? document : atServer(document, url.value.replace(/\/+$/, "")),
      2,
    );
  });
}
