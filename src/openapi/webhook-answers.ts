import type { HookEvent } from "../models/event-kinds.ts";
import {
  answerMsMax,
  busyStatuses,
  busyWaitMs,
  failedMessagesMin,
  failingMsMax,
  jitter,
  retryAfterMsMax,
  retryWaitsMs,
} from "../webhooks/retry.ts";
import type { Header } from "./headers.ts";

/** An answer that a receiver may give, and what the service does then. */
export interface WebhookAnswer {
  description: string;
  headers?: Record<string, Header>;
}

/** What answers of a receiver mean (OP-77), by status; a ping is never repeated (OP-79). */
export function toReceiverAnswers(kind: HookEvent): Record<string, WebhookAnswer> {
  if (kind === "Ping") return { "2XX": taken, default: { description: "The ping has failed." } };
  const busy = busyStatuses.map((status) => [status, { description: busyText, headers: retryAfter }]);
  return {
    "2XX": taken,
    "3XX": { description: `Redirects are not followed. ${failure}` },
    "410": {
      description:
        "No more is wanted: the webhook is deactivated, and what it was still to be sent is cancelled.",
    },
    ...Object.fromEntries(busy),
    default: { description: failure, headers: retryAfter },
  };
}

const taken: WebhookAnswer = {
  description: `The event was taken. Answer within ${toWords(answerMsMax)} and work on it afterwards; nothing of the answer is read but for the log of attempts.`,
};

const failure = `A failure, as is no answer within ${toWords(answerMsMax)}: the event comes again after ${retryWaitsMs.map(toWords).join(", ")}, each ± ${jitter * 100} %, and is given up after attempt ${retryWaitsMs.length + 1}; later events of the same record wait. A webhook that did nothing but fail for ${toWords(failingMsMax)} and ${failedMessagesMin} events is deactivated.`;

const busyText = `The receiver is busy: a failure, after which the wait is ${toWords(busyWaitMs)} at least.`;

const retryAfter: Record<string, Header> = {
  "retry-after": {
    description: `Seconds or a date (RFC 9110): the event does not come again before that; at most ${toWords(retryAfterMsMax)} are honoured.`,
    schema: { type: "string" },
  },
};

/** 7,200,000 ms is "2 h"; only several days are told in days. */
function toWords(ms: number): string {
  const hours = ms / 3_600_000;
  if (hours > 24) return `${hours / 24} days`;
  if (hours >= 1) return `${hours} h`;
  return ms >= 60_000 ? `${ms / 60_000} min` : `${ms / 1000} s`;
}
