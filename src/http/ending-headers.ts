import type { Ending } from "../models/versions/endings.ts";
import type { HttpAnswer } from "./http-answer.ts";

/**
 * Adds to an answer that what it was asked for ends: Deprecation (RFC 9745), Sunset (RFC 8594) where the end is known, and
 * in Link where the change is told, behind the links that it has (OP-275).
 */
export function addEnding(answer: HttpAnswer, ending: Ending | null): HttpAnswer {
  if (ending === null) return answer;
  const { deprecatedOn, endsOn, page } = ending;
  const links = [answer.headers.link, `<${page}>; rel="deprecation"; type="text/html"`];
  if (endsOn !== undefined) links.push(`<${page}>; rel="sunset"; type="text/html"`);
  const headers = {
    ...answer.headers,
    deprecation: `@${toMs(deprecatedOn) / 1000}`,
    ...(endsOn !== undefined && { sunset: new Date(toMs(endsOn)).toUTCString() }),
    link: links.filter((link) => link !== undefined).join(", "),
  };
  return { ...answer, headers };
}

const toMs = (date: string) => Date.parse(`${date.replaceAll("/", "-")}T00:00:00Z`);
