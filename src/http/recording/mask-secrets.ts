import { mask, maskTokens } from "../../core/tokens.ts";

/** A test compares these names with the models. */
export const secretName =
  /passw|passphrase|secret|credential|tokens?$|authorization|cookie|(?:access|api|private)[_-]?key|(?:^|[?_-])(?:o?auth|hmac|jwt|pass|pwd|sig|signature)(?:[_-]\d+)?$/i;

/** Secret only in a query or header: an error has a field `code`. */
const secretParameterName =
  /(?:^|[?_-])(?:(?<!^idempotency-)key|bearer|code|csrf|jwt[_-]\w+|otp|session(?:[_-]?id)?|sid|xsrf)$/i;

/** Some frameworks write a list as `token[]`. */
const isSecretParameter = (name: string) => {
  const bare = name.replace(/\[\w*\]$/, "");
  return secretName.test(bare) || secretParameterName.test(bare);
};

/** A webhook's own headers, each of which may be a secret. */
const headersName = "headers";

/** Throws for a text that is not JSON. */
export function maskJson(text: string): string {
  // A name may be a token, too.
  return maskTokens(JSON.stringify(JSON.parse(text, maskValue)));
}

function maskValue(name: string, value: unknown): unknown {
  if (secretName.test(name)) return value === null || typeof value === "boolean" ? value : mask;
  if (typeof value === "string" && name !== headersName) return maskText(value);
  if (name !== headersName || value === null) return value;
  if (typeof value !== "object") return mask;
  return Object.fromEntries(Object.keys(value).map((header) => [header, mask]));
}

/** Masks tokens, user info of URLs, and secret parameters. */
function maskText(text: string): string {
  return maskTokens(text)
    .replace(/:\/\/[^\s@/?#]+@/g, `://${mask}@`)
    .replace(/[&#]?[^\s&#]+/g, maskParameter);
}

function maskParameter(part: string): string {
  const names = part.matchAll(/(?:[?&#]|%3f|%2[36])((?:(?!%3[fd]|%2[36])[^?=&#])+)(?:=|%3d)/gi);
  for (const { 0: matched, 1: name = "", index } of names)
    if (isSecretParameter(unescapeName(name))) return `${part.slice(0, index + matched.length)}${mask}`;
  return part;
}

const unescapeName = (name: string) =>
  name.replace(/%([0-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

export function maskAddress(address: URL): URL {
  const masked = new URL(maskTokens(address.href));
  if (masked.username !== "" || masked.password !== "") {
    masked.username = mask;
    masked.password = "";
  }
  const given = [...masked.searchParams];
  const shown = given.map(([name, value]): [string, string] => [
    maskTokens(name),
    isSecretParameter(name) || name === headersName ? mask : maskText(value),
  ]);
  if (shown.some(([name, value], at) => name !== given[at]?.[0] || value !== given[at]?.[1]))
    masked.search = `${new URLSearchParams(shown)}`;
  return masked;
}

/** Masks a secret header completely, and the secrets in others. */
export const maskHeader = ({ name, value }: { name: string; value: string }) => ({
  name,
  value: isSecretParameter(name) ? mask : maskText(value),
});
