import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { Agent, type Dispatcher } from "undici";

/** A request, with only the headers that HTTP/1.1 requires. */
export interface WireRequest {
  /** Any token, not only the methods that fetch supports. */
  method?: string;
  /** Includes the query. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
}

export interface WireAnswer {
  status: number;
  /** Names in lower case. A comma joins repeated headers. */
  headers: Record<string, string>;
  bytes: Uint8Array;
  text: string;
}

/** A bare HTTP client: no default headers, no redirects, no decoding. */
export interface HttpClient {
  /** The address of the server, such as http://127.0.0.1:41234. */
  readonly origin: string;
  send(request: WireRequest): Promise<WireAnswer>;
  /** Writes bytes to a new connection and reads until the server closes it. */
  sendBytes(bytes: string | Uint8Array): Promise<string>;
  /** The same, but ends its side of the connection after the last byte. */
  sendBytesAndLeave(bytes: string | Uint8Array): Promise<string>;
  close(): Promise<void>;
}

export function createHttpClient(origin: string): HttpClient {
  const agent = new Agent({ keepAliveTimeout: 30_000 });
  return {
    origin,
    async send({ method = "GET", path, headers = {}, body }) {
      const {
        statusCode,
        headers: answered,
        body: stream,
      } = await agent.request({
        origin,
        path,
        // undici's type lists only the common methods.
        method: method as Dispatcher.HttpMethod,
        headers,
        body: body instanceof Uint8Array ? Buffer.from(body) : ((body as string | undefined) ?? null),
      });
      const bytes = new Uint8Array(await stream.arrayBuffer());
      return {
        status: statusCode,
        headers: toPlainHeaders(answered),
        bytes,
        text: new TextDecoder().decode(bytes),
      };
    },
    sendBytes: async (bytes) => {
      const socket = await connectTo(origin);
      socket.write(bytes);
      return text(socket);
    },
    sendBytesAndLeave: async (bytes) => {
      const socket = await connectTo(origin);
      socket.end(bytes);
      return text(socket);
    },
    close: () => agent.close(),
  };
}

async function connectTo(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  return socket;
}

function toPlainHeaders(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(entries);
}
