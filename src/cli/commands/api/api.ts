import { METHODS } from "node:http";
import type { Command } from "commander";
import type { Received } from "../../../client/refusal.ts";
import { failure } from "../../../errors/errors.ts";
import { addTargetOptions } from "../../common-options.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { readBytes } from "../../input/read-text.ts";
import { AnsweredStatus } from "../../outcome/already-shown.ts";
import { tell } from "../../output/tell.ts";
import { toVisible, toVisibleJson, toVisibleLines } from "../../output/text.ts";
import { useTarget } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";

export function apiCommand(context: CliContext): Command {
  const command = defineBuiltin("api", "dangerous")
    .description("Send any request to the target, a store or a server, and show the raw answer.")
    .argument("<method>", "GET, POST, PATCH or DELETE")
    .argument("<path>", "path of the interface, like /jobs")
    .option(
      "--query <pair>",
      "query parameter name=value; repeatable",
      (pair: string, pairs: string[]) => [...pairs, pair],
      [],
    )
    .option("--body <file>", "file that holds the body, - for standard input")
    .option("--dry-run", "check everything, store nothing (the x-dry-run header)")
    .option("-i, --include", "show status and headers too")
    .option(
      "--api-version <version>",
      "the x-api-version header (DISPATCH_API_VERSION); by default none is sent",
    );
  addTargetOptions(command).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli api GET /jobs --query page_limit=2 -i",
  );
  return command.action(async (method: string, path: string) => {
    const answer = await send(context, method.toUpperCase(), path, command.opts());
    if (command.opts().include) for (const line of toHead(answer)) tell(context.stdout, line);
    context.stdout.write(context.stdout.isTTY ? toShown(answer) : answer.bytes);
    if (answer.status >= 400) throw new AnsweredStatus(answer.status);
  });
}

async function send(
  context: CliContext,
  method: string,
  path: string,
  options: OptionValues,
): Promise<Received> {
  if (!path.startsWith("/"))
    throw failure("usage", `The path must begin with a slash, like /jobs, not "${path}".`);
  if (!METHODS.includes(method)) throw failure("usage", `"${method}" is no HTTP method.`);
  const body = typeof options.body === "string" ? await readBytes(context, options.body) : undefined;
  return useTarget(context, options, (target, settings) =>
    target.send(path + toQuery(path, options.query as string[]), {
      method,
      headers: {
        ...(body && { "content-type": "application/json" }),
        ...(options.dryRun === true && { "x-dry-run": "true" }),
        ...(settings.apiVersion.value !== null && { "x-api-version": settings.apiVersion.value }),
      },
      ...(body && { body: new Uint8Array(body) }),
    }),
  );
}

function toQuery(path: string, pairs: readonly string[]): string {
  if (pairs.length === 0) return "";
  const parts = pairs.map((pair) => {
    const at = pair.indexOf("=");
    if (at < 1) throw failure("usage", `--query must be name=value, not "${pair}".`);
    return `${encodeURIComponent(pair.slice(0, at))}=${encodeURIComponent(pair.slice(at + 1))}`;
  });
  return (path.includes("?") ? "&" : "?") + parts.join("&");
}

/** Ends with a line break. */
function toShown({ bytes, headers }: Received): string {
  if (bytes.length === 0) return "";
  const type = headers.get("content-type") ?? "";
  if (type.includes("json")) return `${toVisibleJson(Buffer.from(bytes).toString("utf8"))}\n`;
  if (type.startsWith("text/")) return `${toVisibleLines(Buffer.from(bytes).toString("utf8"))}\n`;
  return `${bytes.length} bytes of ${toVisible(type)}: put them into a file with > file.\n`;
}

function toHead({ status, headers }: Received): string[] {
  const lines = [...headers.entries()].map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status}`, ...lines, ""];
}
