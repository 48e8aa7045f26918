import { toRequestInput } from "../models/versions/index.ts";
import type { ClientOptions } from "./client.ts";

/** For callers that write requests in the newest form. */
export const toInput: NonNullable<ClientOptions["toInput"]> = (operation, version, request) => {
  const { body, query = {}, ...others } = request;
  return { ...others, ...toRequestInput(operation, version, { body, query: toTexts(query) }) };
};

function toTexts(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
