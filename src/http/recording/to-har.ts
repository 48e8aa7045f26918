import { setImmediate } from "node:timers/promises";
import { programVersion } from "../../runtime/program-version.ts";
import { maskAddress, maskHeader } from "./mask-secrets.ts";
import type { RecordedRequest } from "./recorder.ts";
import { findHeader, toAddress, toHeaders, toMaskedText, toSentHeaders } from "./to-contents.ts";

const charactersMax = 16 * 1024 * 1024;

/** Writes an HTTP Archive (HAR 1.2) without secrets. That may take a second, so it lets others run in between. */
export async function toHar(requests: readonly RecordedRequest[]): Promise<Uint8Array> {
  const entries: ReturnType<typeof toEntry>[] = [];
  let characters = 0;
  for (const recorded of requests.toReversed()) {
    const entry = toEntry(characters < charactersMax ? recorded : withoutBodies(recorded));
    characters += (entry.request.postData?.text?.length ?? 0) + (entry.response.content.text?.length ?? 0);
    entries.unshift(entry);
    await setImmediate();
  }
  const log = { version: "1.2", creator: { name: "dispatch-cli", version: programVersion }, entries };
  return Buffer.from(JSON.stringify({ log }));
}

const withoutBodies = (recorded: RecordedRequest): RecordedRequest => ({
  ...recorded,
  request: { ...recorded.request, body: null },
  answer: { ...recorded.answer, body: null },
});

function toEntry({ answer, ms, request, startedOn }: RecordedRequest) {
  const time = Math.round(ms * 1000) / 1000;
  return {
    startedDateTime: `${startedOn.slice(0, 23)}Z`,
    time,
    request: toRequest(request),
    response: toResponse(answer),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  };
}

const httpVersion = "HTTP/1.1";
/** HAR's value for an unknown size. */
const unknown = -1;

function toRequest(request: RecordedRequest["request"]) {
  const { body, bytes, headers, method, url } = request;
  const address = maskAddress(toAddress(url, headers.host));
  const mimeType = headers["content-type"] ?? "application/json";
  return {
    method,
    url: address.href,
    httpVersion,
    cookies: [],
    headers: toSentHeaders(request).map(maskHeader),
    queryString: [...address.searchParams].map(([name, value]) => ({ name, value })),
    ...(bytes > 0 && { postData: { mimeType, text: toShown(body, mimeType, undefined) } }),
    headersSize: unknown,
    bodySize: headers["content-encoding"] === undefined ? bytes : unknown,
  };
}

function toResponse({ body, bytes, head, isDropped, status }: RecordedRequest["answer"]) {
  const mimeType = findHeader(head, "content-type") ?? "";
  const text = toShown(body, mimeType, findHeader(head, "content-encoding"));
  // A browser writes 0 for a request without a response.
  return {
    status: isDropped ? 0 : status,
    statusText: "",
    httpVersion,
    cookies: [],
    headers: toHeaders(head).map(maskHeader),
    content: isDropped ? { size: 0, mimeType: "", text: undefined } : { size: bytes, mimeType, text },
    redirectURL: "",
    headersSize: unknown,
    bodySize: isDropped ? 0 : bytes,
  };
}

const toShown = (body: Uint8Array | null, mimeType: string, coding: string | undefined) =>
  toMaskedText(body, { mimeType, coding }).text ?? undefined;
