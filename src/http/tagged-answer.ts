import { type Coding, toCodedTag, toEntityTag, toPlainTag } from "../core/precondition.ts";
import { chooseCoding, encode } from "./content-coding.ts";
import { type FullAnswer, type HttpAnswer, type IncomingRequest, toFullAnswer } from "./http-messages.ts";

export interface TaggedAnswer {
  /** Plain or compressed, as the request accepts; 304 if the client has it. */
  for(request: IncomingRequest): FullAnswer | Promise<FullAnswer>;
  bytes(): number;
}

/** Compresses once for each coding, and then calls `onGrown`. Of the `common` headers only the request id differs. */
export function tagAnswer(
  made: HttpAnswer,
  common: Record<string, string>,
  onGrown: () => void,
): TaggedAnswer {
  const etag = made.etag ?? made.headers.etag ?? toEntityTag(made.body);
  const answer = { ...made, headers: { ...common, ...made.headers, etag } };
  const plain = toFullAnswer(answer, "GET");
  let notModified: FullAnswer | undefined;
  const coded = new Map<Coding, FullAnswer | Promise<FullAnswer>>();
  const startCoding = (coding: Coding) => {
    const coming = encode(answer, coding).then((made) => {
      const full = toFullAnswer(made, "GET");
      coded.set(coding, full);
      onGrown();
      return full;
    });
    coded.set(coding, coming);
    // The next request tries again.
    coming.catch(() => coded.delete(coding));
    return coming;
  };
  // The common headers come first.
  const idAt = plain.head.indexOf("x-request-id") + 1;
  const withId = ({ body, head, status }: FullAnswer, id: string) => ({
    status,
    head: head.with(idAt, id),
    body,
  });
  return {
    for({ headers, id }) {
      const coding = chooseCoding(headers["accept-encoding"], answer);
      const known = findTag(headers["if-none-match"], etag, coding);
      if (known !== null) {
        notModified ??= toFullAnswer({ status: 304, headers: { ...common, etag }, body: "" }, "GET");
        return withId({ ...notModified, head: [...notModified.head.slice(0, -1), known] }, id);
      }
      if (coding === null) return withId(plain, id);
      const full = coded.get(coding) ?? startCoding(coding);
      return full instanceof Promise ? full.then((done) => withId(done, id)) : withId(full, id);
    },
    bytes: () =>
      [plain, ...coded.values()].reduce((sum, full) => sum + ("body" in full ? full.body.length : 0), 0),
  };
}

/** The matching tag in If-None-Match, plain or compressed. `*` matches any tag (RFC 9110, 13.1.2). */
function findTag(header: string | undefined, etag: string, coding: Coding | null): string | null {
  if (header === undefined) return null;
  if (header === etag) return etag;
  for (const part of header.split(",")) {
    // A proxy may send weak tags; If-None-Match compares weakly.
    const tag = part.trim().replace(/^W\//, "");
    if (tag === "*") return coding === null ? etag : toCodedTag(etag, coding);
    if (toPlainTag(tag) === etag) return tag;
  }
  return null;
}
