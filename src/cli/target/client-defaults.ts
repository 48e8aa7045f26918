import type { ClientOptions } from "../../client/client.ts";
import type { DispatchError } from "../../errors/errors.ts";
import { toRequestInput } from "../../models/versions/index.ts";

/** Commands write requests in the newest version. */
export const toInput: NonNullable<ClientOptions["toInput"]> = (operation, version, request) => {
  const { body, query = {}, ...others } = request;
  return { ...others, ...toRequestInput(operation, version, { body, query: toTexts(query) }) };
};

function toTexts(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** Adds the commands that help. */
export async function tellCuresOf(error: DispatchError): Promise<DispatchError> {
  if (!error.violations.some(({ see }) => see)) return error;
  const { tellCures } = await import("../cures/tell-cures.ts");
  return tellCures(error);
}
