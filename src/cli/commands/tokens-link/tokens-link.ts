import type { Command } from "commander";
import { renderUnicodeCompact } from "uqr";
import { findDriverUser } from "../../../board/driver-user.ts";
import { failure } from "../../../errors/errors.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { resolveText } from "../../names/resolve-input.ts";
import type { Resolving } from "../../names/resolve-name.ts";
import { showFacts } from "../../output/tell.ts";
import { chooserOf } from "../../prompts/chooser.ts";
import type { Settings } from "../../settings.ts";
import { useTarget } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";
import { listed } from "../day/find-truck.ts";

export function tokensLinkCommand(context: CliContext): Command {
  const command = defineBuiltin("link", "write")
    .description(
      "Print a link and a QR code that sign a person in to the board. It works once, within 10 minutes.",
    )
    .option("--driver <name>", "the driver, by name or ID")
    .option("--user <name>", "the user, by its username")
    .option("--at <address>", "address of the server; required if the target is a store");
  addFormOption(addTargetOptions(command)).addHelpText("after", notes);
  return command.action(() => {
    const options = command.opts();
    return useTarget(context, options, async (target, settings) => {
      const { client } = target;
      const tells = settings.form === "table";
      const resolving = { context, client, choose: chooserOf(context, options), tells };
      const address = readAddress(settings, options.at);
      const username = await readUsername(resolving, options);
      const { expires_on, id, roles, token } = await client.call("tokens.create", {
        body: { is_link: true, name: "sign-in link", username },
      });
      const link = `${address}/board#sign-in=${token}`;
      const facts = { link, roles, token_expires_on: expires_on, token_id: id, username };
      const drawn = [
        ...renderUnicodeCompact(link, { border: 2 }).split("\n"),
        link,
        `Signs ${username} in as ${roles.join(", ")}: once, within 10 minutes. \`dispatch-cli tokens revoke ${id}\` ends it.`,
      ];
      showFacts(context, settings, facts, { drawn });
    });
  });
}

function readAddress({ url }: Settings, given: unknown): string {
  const address = given ?? url.value;
  if (typeof address === "string" && /^https?:\/\/[^\s#?]+$/.test(address))
    return address.replace(/\/+$/, "");
  throw failure(
    "usage",
    "--at must be the address of the server of this store, like https://dispatch.example.com.",
  );
}

async function readUsername(
  resolving: Resolving,
  { driver, user }: { driver?: string; user?: string },
): Promise<string> {
  if ((driver === undefined) === (user === undefined))
    throw failure("usage", "Give either --driver or --user.");
  if (user !== undefined) return user;
  const { id, params } = await resolveText(resolving, listed("driver_id"), String(driver), {}, true);
  const locationId = Number(params.location_id);
  const username = await findDriverUser(resolving.client, { id: Number(id), locationId });
  if (username !== null) return username;
  throw failure(
    "name_not_found",
    `Driver ${id} has no user. Create one: dispatch-cli users create --location ${locationId} --username <name> --roles Driver --driver ${id}`,
    "driver",
  );
}

const notes = `
Opening the link creates an access token with that person's roles. It is valid for
30 days, or until your own token expires. \`tokens list\` shows it, and \`tokens
revoke\` revokes it. On a server, your own token must have the person's roles, except Driver.

Examples:
  dispatch-cli tokens link --driver oscar --at https://dispatch.example.com
  dispatch-cli tokens link --user dana --url https://dispatch.example.com`;
