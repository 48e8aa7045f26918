import { randomBytes } from "node:crypto";
import type { AnsweredRequests } from "../../core/serving.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { OnOver } from "../finished-request.ts";
import { answerFromTrail, toAnsweredRequests } from "./answered-requests.ts";
import { linkTrails } from "./peer-trails.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { createRequestTrail } from "./request-trail.ts";

export interface Recording {
  note: OnOver;
  /** null when only the facts of the log are kept, without headers and bodies. */
  recorder: Recorder | null;
  /** The requests of all processes of the server. */
  requests: AnsweredRequests;
}

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
