import { failure } from "../../errors/errors.ts";
import { isLoopback } from "../../runtime/loopback.ts";
import type { CliContext } from "../context.ts";
import { readText } from "../input/read-text.ts";
import { tell } from "../output/tell.ts";
import type { Profile } from "../profiles/profiles.ts";
import type { Settings } from "../settings.ts";

/** Others can read a token sent over plain http to another machine. `isInsecure` accepts that. */
export function warnOfPlainHttp({ stderr }: CliContext, url: string, isInsecure: boolean): void {
  if (isInsecure || !URL.canParse(url)) return;
  const { hostname, protocol } = new URL(url);
  if (protocol !== "http:" || isLoopback(hostname)) return;
  tell(
    stderr,
    `The token goes to ${hostname} unencrypted, so others on the network can read and use it. Use https://…, or pass --insecure if the network is safe.`,
  );
}

/** From --token-file, DISPATCH_TOKEN, or the profile; other users could read an option. Throws no_token. */
export async function readToken(context: CliContext, settings: Settings): Promise<string> {
  const { isInsecure, profile, token, tokenFile, url } = settings;
  if (url.value !== null) warnOfPlainHttp(context, url.value, isInsecure);
  if (tokenFile.value !== null) return parseToken(await readText(context, tokenFile.value));
  if (token.value === null || token.value.trim() === "") throw noToken(settings);
  if (token.source.startsWith("profile ") && profile.value) requirePrivate(profile.value);
  return parseToken(token.value);
}

/** Throws no_token. */
export function parseToken(text: string): string {
  const token = text.trim();
  if (token === "") throw failure("no_token", "The file of the token is empty.");
  if (/^[!-~]{1,249}$/.test(token)) return token;
  throw failure("no_token", "The token has invalid characters.");
}

function noToken({ profile, url }: Settings) {
  const { name, values } = { name: "", values: {}, ...profile.value } satisfies Partial<Profile>;
  const other = values.token === undefined ? "" : ` The token of profile ${name} is for ${values.url} only.`;
  return failure("no_token", `${url.value} needs a token, and DISPATCH_TOKEN has none.${other}`);
}

/** Refuses a file that others can read, as ssh does with keys. */
function requirePrivate({ file, isPrivate, name }: Profile): void {
  if (isPrivate) return;
  const detail = `The token of profile ${name} is not used: others can read it. \`chmod 600 ${file}\` fixes that.`;
  throw failure("no_token", detail);
}
