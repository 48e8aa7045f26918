import type { ServerResponse } from "node:http";
import type { Sink } from "../http-answer.ts";

/** A response whose head is out, as what a stream is sent on; `noteBytes` hears of every text. */
export function toSink(response: ServerResponse, noteBytes: (bytes: number) => void): Sink {
  return {
    write(text) {
      noteBytes(Buffer.byteLength(text));
      return response.write(text);
    },
    onDrain: (listener) => void response.on("drain", listener),
    onClose: (listener) => void response.once("close", listener),
    end: ({ cut = false } = {}) => void (cut ? response.destroy() : response.end()),
  };
}
