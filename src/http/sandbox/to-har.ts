import { setImmediate } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Timestamp } from "../../runtime/clock.ts";
import { programVersion } from "../../runtime/program-version.ts";
import { mask, maskJson, maskQuery, secretName } from "./mask-secrets.ts";

/** A request as the recorder keeps it; bodies that are too long are null. */
export interface RecordedRequest {
  startedOn: Timestamp;
  ms: number;
  request: {
    method: string;
    url: string;
    headers: Readonly<Record<string, string | undefined>>;
    /** Without its coding. */
    body: Uint8Array | null;
    bytes: number;
  };
  answer: {
    status: number;
    /** Names and values in turn. */
    head: readonly string[];
    body: Uint8Array | null;
    bytes: number;
    isDropped?: true;
  };
}

/** Coded answers may be of megabytes each: beyond so many characters in all, bodies are left out, those of the oldest first. */
const charactersMax = 16 * 1024 * 1024;

/**
 * Writes requests as an HTTP Archive (HAR 1.2), without the secrets in them. To decode and mask them all may take a second,
 * so others have their turn in between.
 */
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
/** What a HAR says of a size that is not known. */
const unknown = -1;

function toRequest({ body, bytes, headers, method, url }: RecordedRequest["request"]) {
  const address = maskQuery(toAddress(url, headers.host));
  const mimeType = headers["content-type"] ?? "application/json";
  const named = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  return {
    method,
    url: address.href,
    httpVersion,
    cookies: [],
    headers: named.map(maskHeader),
    queryString: [...address.searchParams].map(([name, value]) => ({ name, value })),
    ...(bytes > 0 && { postData: { mimeType, text: toText(mimeType, body, undefined) } }),
    headersSize: unknown,
    bodySize: headers["content-encoding"] === undefined ? bytes : unknown,
  };
}

/** A client may send any Host, one that stands in no address too. */
function toAddress(url: string, host = "localhost"): URL {
  const base = `http://${host}`;
  return URL.canParse(url, base)
    ? new URL(url, base)
    : new URL(`http://localhost/${url.replace(/^\/+/, "")}`);
}

function toResponse({ body, bytes, head, isDropped, status }: RecordedRequest["answer"]) {
  const headers: { name: string; value: string }[] = [];
  for (let at = 0; at < head.length; at += 2)
    headers.push({ name: head[at] ?? "", value: head[at + 1] ?? "" });
  const findHeader = (wanted: string) => headers.find(({ name }) => name === wanted)?.value;
  const mimeType = findHeader("content-type") ?? "";
  const content = { size: bytes, mimeType, text: toText(mimeType, body, findHeader("content-encoding")) };
  // A browser's archive has 0 for a request that got no answer.
  return {
    status: isDropped ? 0 : status,
    statusText: "",
    httpVersion,
    cookies: [],
    headers: headers.map(maskHeader),
    content: isDropped ? { size: 0, mimeType: "", text: undefined } : content,
    redirectURL: "",
    headersSize: unknown,
    bodySize: isDropped ? 0 : bytes,
  };
}

const maskHeader = ({ name, value }: { name: string; value: string }) => ({
  name,
  value: secretName.test(name) ? mask : value,
});

/** Text other than JSON is not shown: nobody knows where its secrets are. */
function toText(mimeType: string, body: Uint8Array | null, coding: string | undefined): string | undefined {
  if (body === null || !/^application\/(?:[\w.]+\+)?json/i.test(mimeType)) return undefined;
  try {
    return maskJson(decode(body, coding).toString("utf8"));
  } catch {
    return undefined;
  }
}

const options = { maxOutputLength: 1024 * 1024 };

function decode(body: Uint8Array, coding: string | undefined): Buffer {
  if (coding === undefined) return Buffer.from(body);
  return coding === "br" ? brotliDecompressSync(body, options) : gunzipSync(body, options);
}
