import type { Command } from "commander";
import { DispatchError } from "../../errors/errors.ts";
import { isPostgresAddress } from "../../store/postgres/address.ts";
import type { CliContext, OptionValues } from "../context.ts";
import { findProfile, profileNames } from "../profiles/profiles.ts";
import { readSettings, type Settings, toSettings } from "../settings.ts";
import { openTarget, type Target } from "../target/target.ts";

export function addOtherOptions(command: Command): Command {
  return command
    .optionsGroup("The other target:")
    .requiredOption(
      "--with <other>",
      "a saved profile, a store (a file or postgres://…), or a server's address",
    )
    .option("--with-tenant <name>", "its tenant, by id or name; default: the only one")
    .option("--with-token-file <file>", "file that holds its token (else DISPATCH_WITH_TOKEN)");
}

export interface TwoTargets {
  settings: Settings;
  here: Target;
  there: Target;
}

export async function withTwoTargets(
  context: CliContext,
  options: OptionValues,
  work: (targets: TwoTargets) => Promise<void>,
): Promise<void> {
  const settings = readSettings(context, options);
  const other = toOtherContext(context);
  const otherSettings = readOtherSettings(context, other, options);
  const here = await openTarget(context, settings);
  try {
    const there = await openTarget(other, otherSettings, { tenantNamedBy: "--with-tenant" }).catch(
      (error: unknown) => {
        throw toOtherError(error);
      },
    );
    try {
      await work({ settings, here, there });
    } finally {
      await there.close();
    }
  } finally {
    await here.close();
  }
}

/** Marks an error of the other target. */
function toOtherError(error: unknown): unknown {
  if (!(error instanceof DispatchError)) return error;
  const [first, ...rest] = error.violations.map((violation) => ({
    ...violation,
    detail: `--with: ${violation.detail.replace("DISPATCH_TOKEN", "DISPATCH_WITH_TOKEN")}`,
  }));
  return first ? new DispatchError([first, ...rest], { cause: error }) : error;
}

/** Environment variables belong to the usual target. */
function toOtherContext(context: CliContext): CliContext {
  const { env } = context;
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("DISPATCH_"));
  const token = env.DISPATCH_WITH_TOKEN;
  return { ...context, env: { ...Object.fromEntries(kept), ...(token && { DISPATCH_TOKEN: token }) } };
}

function readOtherSettings(context: CliContext, other: CliContext, options: OptionValues): Settings {
  const place = String(options.with);
  const given = { tenant: options.withTenant, tokenFile: options.withTokenFile, insecure: options.insecure };
  if (/^https?:\/\//i.test(place)) return toSettings(other.env, { ...given, url: place });
  if (!isPostgresAddress(place) && profileNames(context).includes(place))
    return toSettings(other.env, given, { value: findProfile(context, place), source: "--with" });
  return toSettings(other.env, { ...given, data: place });
}

export function describeTarget({ name, tenant }: Target): string {
  return `${name}, tenant ${tenant.id} (${tenant.name})`;
}
