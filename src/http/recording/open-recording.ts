import { randomBytes } from "node:crypto";
import type { AnsweredRequests } from "../../core/serving.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { OnOver } from "../finished-request.ts";
import { answerFromTrail, toAnsweredRequests } from "./answered-requests.ts";
import { linkTrails } from "./peer-trails.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { createRequestTrail } from "./request-trail.ts";

/** What a process that serves remembers of the requests to it. */
export interface Recording {
  note: OnOver;
  /** null where only what the log tells is remembered, and not what requests carry. */
  recorder: Recorder | null;
  /** Those of this process and of the ones that serve with it. */
  requests: AnsweredRequests;
}

/** Begins to remember; `recordsBodies` says whether what requests carry is kept too. */
export function openRecording(machineClock: Clock, recordsBodies: boolean): Recording {
  const recorder = recordsBodies ? createRecorder(machineClock) : null;
  const trail = createRequestTrail(randomBytes(4).toString("hex"), recorder);
  const askPeers = linkTrails((question) => answerFromTrail(trail, question));
  return {
    note: (finished, client) => trail.note(finished, client, machineClock.now()),
    recorder,
    requests: toAnsweredRequests(trail, askPeers, { recordsBodies }),
  };
}
