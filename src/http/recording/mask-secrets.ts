/** Stands in place of a secret. */
export const mask = "***";

/** The names of fields, parameters and headers that hold secrets; a test compares them with the models. */
export const secretName =
  /passw|passphrase|secret|credential|tokens?$|access_token|authorization|cookie|(?:api|private)[_-]?key/i;

/** The fields that hold headers of a webhook's own, each of which may be a secret whatever it is called. */
const headersName = "headers";

/** A JSON text with its secrets masked; throws for any other text. */
export function maskJson(text: string): string {
  return JSON.stringify(JSON.parse(text, maskValue));
}

function maskValue(name: string, value: unknown): unknown {
  if (secretName.test(name)) return value === null ? null : mask;
  if (typeof value === "string" && name !== headersName) return maskAddresses(value);
  if (name !== headersName || value === null) return value;
  if (typeof value !== "object") return mask;
  return Object.fromEntries(Object.keys(value).map((header) => [header, mask]));
}

/**
 * Within a text the password of an address, and what its query names as a secret. A name ends where the next may begin:
 * else a text of nothing but question marks is read as often as it is long.
 */
function maskAddresses(text: string): string {
  if (!text.includes("://")) return text;
  return text
    .replace(/(:\/\/[^\s:@/?#]*:)[^\s@/?#]+@/g, `$1${mask}@`)
    .replace(/([?&])([^\s?=&#]+)=[^\s&#]*/g, (pair, start: string, name: string) =>
      secretName.test(name) ? `${start}${name}=${mask}` : pair,
    );
}

/** An address whose query has its secrets masked. */
export function maskQuery(address: URL): URL {
  const masked = new URL(address);
  for (const name of address.searchParams.keys())
    if (secretName.test(name) || name === headersName) masked.searchParams.set(name, mask);
  return masked;
}

/** A header whose value is masked where its name says that it is a secret, and otherwise the secrets of addresses in it. */
export const maskHeader = ({ name, value }: { name: string; value: string }) => ({
  name,
  value: secretName.test(name) ? mask : maskAddresses(value),
});
