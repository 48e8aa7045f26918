import type { AnsweredPage, AnsweredRequests, FoundRequest } from "../../core/serving.ts";
import { failure } from "../../errors/errors.ts";
import { type RequestTrail, requestsMax, type TrailPage } from "./request-trail.ts";

export type TrailQuestion =
  | { tenantId: number; after: Readonly<Record<string, number>> | null; text: string | null }
  | { tenantId: number; requestId: string };

export type TrailAnswer = { page: TrailPage } | { found: FoundRequest | null };

/** Throws `overloaded` if the other processes do not reply. */
export type AskPeers = (question: TrailQuestion) => Promise<TrailAnswer[]>;

export function answerFromTrail(trail: RequestTrail, question: TrailQuestion): TrailAnswer {
  return "requestId" in question
    ? { found: trail.findHere(question.tenantId, question.requestId) }
    : { page: trail.readHere(question.tenantId, question.after, question.text) };
}

/** Merges the requests of all processes, in the order of their responses. */
export function toAnsweredRequests(
  trail: RequestTrail,
  askPeers: AskPeers,
  { recordsBodies }: { recordsBodies: boolean },
): AnsweredRequests {
  const find = async (tenantId: number, requestId: string) => {
    const here = trail.findHere(tenantId, requestId);
    if (here) return here;
    const answers = await askPeers({ tenantId, requestId });
    const found = answers.flatMap((answer) => ("found" in answer && answer.found ? [answer.found] : []));
    return found.sort((a, b) => (a.answered.answered_on < b.answered.answered_on ? 1 : -1))[0];
  };
  return {
    async read(tenantId, cursor, text) {
      const after = cursor === null ? null : parseCursor(cursor);
      const answers = await askPeers({ tenantId, after, text });
      const others = answers.flatMap((answer) => ("page" in answer ? [answer.page] : []));
      return joinPages([trail.readHere(tenantId, after, text), ...others], after);
    },
    find: recordsBodies ? find : null,
  };
}

function joinPages(
  pages: readonly TrailPage[],
  after: Readonly<Record<string, number>> | null,
): AnsweredPage {
  const requests = pages.flatMap((page) => page.requests);
  requests.sort((a, b) => (a.answered_on < b.answered_on ? -1 : a.answered_on > b.answered_on ? 1 : 0));
  // A process that is silent now may reply the next time.
  const next = { ...after, ...Object.fromEntries(pages.map((page) => [page.name, page.next])) };
  return {
    requests: after === null ? requests.slice(-requestsMax) : requests,
    cursor: Object.entries(next)
      .map(([name, number]) => `${name}.${number}`)
      .join("-"),
    missed: pages.reduce((sum, page) => sum + page.missed, 0),
  };
}

function parseCursor(text: string): Record<string, number> {
  const parts = text.split("-").map((part) => /^([0-9a-f]{8})\.(\d{1,15})$/.exec(part));
  if (parts.every((part) => part !== null))
    return Object.fromEntries(parts.map(([, name = "", number]) => [name, Number(number)]));
  throw failure("unknown_reference", "after is not a cursor of an earlier answer.", "after");
}
