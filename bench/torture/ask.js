import { request } from "node:http";

/** A longer answer counts as a hang. */
export const answerMsMax = 10_000;

/**
 * One request over the connections of an agent, to `url` or its `target`; never rejects. Returns status,
 * headers, body as bytes, milliseconds, and without a whole answer the reason as `problem` and a null status.
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
