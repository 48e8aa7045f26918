import { request } from "node:http";

/** A server that takes longer to answer hangs. */
export const answerMsMax = 10_000;

/**
 * Sends one request over the connections of an agent, to `url` or its `target`. Never rejects. Returns status,
 * headers, body as bytes, and milliseconds. Without a complete answer the status is null and `problem` is the reason.
 */
export function ask(agent, { url, target, method = "GET", headers = {}, body, timeoutMs = answerMsMax }) {
  const { hostname, pathname, port, search } = new URL(url);
  const options = { hostname, port, path: target ?? pathname + search, method, headers, agent };
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const finish = (answer) => {
      clearTimeout(timer);
      resolve({ headers: {}, body: Buffer.alloc(0), ...answer, tookMs: performance.now() - startedAt });
    };
    const giveUp = (problem) => finish({ status: null, problem });
    const sent = request(options, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", (error) => giveUp(error.message));
      answer.on("end", () =>
        finish({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    const timer = setTimeout(() => {
      giveUp(`no answer within ${timeoutMs / 1000} s`);
      sent.destroy();
    }, timeoutMs);
    sent.on("error", (error) => giveUp(error.message));
    sent.end(body);
  });
}
