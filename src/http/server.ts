import { METHODS } from "node:http";
import type { Socket } from "node:net";
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { ServeOptions } from "../core/server-factory.ts";
import type { Service } from "../core/service.ts";
import { DispatchError, failure } from "../errors/errors.ts";
import { defaultVersion } from "../models/api-versions.ts";
import { loadOperations } from "../operations/index.ts";
import { answerRequest, type HttpRequest, type Identify, toErrorAnswer } from "./answer.ts";
import { createAnswerMemory } from "./answer-memory.ts";
import { toCommonHeaders, toShownVersion } from "./headers.ts";
import type { HttpAnswer } from "./http-answer.ts";
import { answerPage, toServicePages } from "./pages.ts";
import { toRouterPath, toRoutes } from "./routes.ts";

const bodyBytesMax = 1024 * 1024;

export interface ServerOptions extends Pick<ServeOptions, "answerBytesMax" | "log" | "logLevel"> {
  identify: Identify;
}

/** The HTTP server of a service: every operation as a route, ready to listen or to be called in process (`inject`). */
export async function buildServer(service: Service, options: ServerOptions): Promise<FastifyInstance> {
  const app = fastify({
    clientErrorHandler: (error, socket) => answerClientError(service, error, socket),
    exposeHeadRoutes: false,
    frameworkErrors: (error, request, reply) => {
      const problem = failure("malformed_url", "The path has an escape that is no UTF-8 text.", null, error);
      answerOutsideRoutes(request, reply, problem);
    },
    genReqId: () => service.makeUuid(),
    // No route depends on the host, and the framework would refuse a missing one in another form than ours (OP-20).
    http: { maxHeaderSize: 16 * 1024, requestTimeout: 30_000, requireHostHeader: false },
    keepAliveTimeout: 60_000,
    logger: { level: options.logLevel, stream: options.log },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16 * 1024 },
  });
  // The body stays a stream, because the server reads it after all earlier checks (OP-18).
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  }
  for (const [path, page] of toServicePages(service, options.identify)) {
    addPath(app, path, (request, onFault) => answerPage(page, request, onFault));
  }
  const answers = createAnswerMemory((tenantId) => service.store.revision(tenantId), options.answerBytesMax);
  const calling = { service, answers, identify: options.identify };
  for (const route of toRoutes(await loadOperations())) {
    addPath(app, toRouterPath(route.path), (request, onFault) =>
      answerRequest(calling, route, request, onFault),
    );
  }
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url);
    return answerOutsideRoutes(
      request,
      reply,
      failure("operation_not_found", `There is no operation at ${path}.`),
    );
  });
  logRequests(app);
  return app;
}

type AnswerPath = (request: HttpRequest, onFault: (error: unknown) => void) => Promise<HttpAnswer>;

/** Registers a path with all methods; `answer` decides which of them the path takes. */
function addPath(app: FastifyInstance, url: string, answer: AnswerPath): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const onFault = (error: unknown) => request.log.error({ err: error }, "fault");
    return send(reply, await answer(toHttpRequest(request), onFault));
  };
  app.route({
    method: app.supportedMethods,
    url,
    handler,
    // The framework would refuse a malformed content type at once; we refuse it at its place in the order of checks.
    errorHandler: (_error, request, reply) => handler(request, reply),
  });
}

function toHttpRequest(request: FastifyRequest): HttpRequest {
  const [, query = ""] = /\?(.*)$/s.exec(request.url) ?? [];
  return {
    id: request.id,
    method: request.method,
    path: pathOf(request.url),
    query,
    params: request.params as Record<string, string>,
    headers: request.headers as Record<string, string | undefined>,
    readBody: () => readBody(request),
  };
}

const pathOf = (url: string) => url.split("?", 1)[0] ?? "/";

async function readBody(request: FastifyRequest): Promise<Uint8Array> {
  const tooLarge = () => failure("body_too_large", `The body has more than ${bodyBytesMax} bytes.`);
  if (Number(request.headers["content-length"] ?? 0) > bodyBytesMax) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.raw) {
      bytes += chunk.length;
      if (bytes > bodyBytesMax) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof DispatchError) throw error;
    throw failure("malformed_request", "The body ended before it was complete.", null, error);
  }
  return Buffer.concat(chunks);
}

function send(reply: FastifyReply, { status, headers, body }: HttpAnswer): FastifyReply {
  // On a kept connection the parser would take the unread rest of a refused body for the next request.
  if (status === 413) reply.header("connection", "close");
  // Bytes, because the framework adds a charset to the type of texts (OP-19).
  return reply
    .code(status)
    .headers(headers)
    .send(body.length === 0 ? undefined : toBuffer(body));
}

const toBuffer = (body: Uint8Array | string) =>
  typeof body === "string" ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);

/** Answers unknown paths and addresses that cannot be read. */
function answerOutsideRoutes(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: DispatchError,
): FastifyReply {
  const { headers } = toHttpRequest(request);
  const common = toCommonHeaders(request.id, toShownVersion(headers["x-api-version"], null), "");
  const answer = toErrorAnswer(problem, request.id, { headers, path: pathOf(request.url) });
  return send(reply, { ...answer, headers: { ...common, ...answer.headers } });
}

/** Answers bytes that the parser takes for no request. There are no headers to read then. */
function answerClientError(service: Service, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const requestId = service.makeUuid();
  const answer = toErrorAnswer(toClientProblem(error.code), requestId, { headers: {}, path: "" });
  const headers = {
    ...toCommonHeaders(requestId, defaultVersion, ""),
    ...answer.headers,
    connection: "close",
  };
  const lines = Object.entries({ ...headers, "content-length": String(Buffer.byteLength(answer.body)) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${answer.status} Error\r\n${head}\r\n${answer.body}`);
}

function toClientProblem(code: string | undefined): DispatchError {
  if (code === "HPE_HEADER_OVERFLOW")
    return failure("header_too_large", "The headers have more than 16 KiB.");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return failure("request_timeout", "The request did not arrive within 30 s.");
  return failure("malformed_request", "The bytes received are no HTTP/1.1 request.");
}

/** One line a request. */
function logRequests(app: FastifyInstance): void {
  app.addHook("onResponse", async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        path: pathOf(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        tenant: request.headers["x-tenant-id"],
      },
      "request",
    );
  });
}
