import type { Fetch, FetchAnswer } from "../../client/call-types.ts";
import { receive } from "../../client/send.ts";

/** What is asked for again and again is little. */
const rememberedMax = 100;

/** Asks only for what has changed: an answer that the server tagged is kept, and given again while it is the same. */
export function rememberAnswers(fetch: Fetch): Fetch {
  const kept = new Map<string, { etag: string; answer: FetchAnswer }>();
  return async (url, init) => {
    if (init.method !== "GET") return fetch(url, init);
    const known = kept.get(url);
    const condition = known ? { "if-none-match": known.etag } : {};
    const answer = await fetch(url, { ...init, headers: { ...init.headers, ...condition } });
    if (answer.status === 304 && known) return known.answer;
    const etag = answer.headers.get("etag");
    if (answer.status !== 200 || etag === null) return answer;
    const whole = { ...answer, body: (await receive(url, answer)).bytes };
    kept.delete(url);
    kept.set(url, { etag, answer: whole });
    const [oldest] = kept.keys();
    if (kept.size > rememberedMax && oldest !== undefined) kept.delete(oldest);
    return whole;
  };
}
