import { createPathFinder } from "../../core/path-finder.ts";
import { pathOf } from "../../core/path-of.ts";
import { DispatchError, failure } from "../../errors/errors.ts";
import type { JsonLog } from "../../runtime/json-log.ts";
import { finishAnswer } from "../content-coding.ts";
import { toErrorAnswer } from "../error-answer.ts";
import type { Handler } from "../handler.ts";
import { toCommonHeaders, toShownVersion } from "../headers.ts";
import { describeListenFault } from "../listener.ts";
import { createMetricsPage, type MetricsPageOptions, metricsPath } from "../metrics/metrics-page.ts";
import { answerPage } from "../pages.ts";
import { type HttpServer, toServer } from "../server.ts";

export interface MetricsServerOptions extends MetricsPageOptions {
  host: string;
  port: number;
  log: JsonLog;
  makeUuid: () => string;
}

export async function startMetricsServer(options: MetricsServerOptions): Promise<HttpServer> {
  const { host, log, makeUuid, port } = options;
  const page = createMetricsPage(options);
  const find = createPathFinder([[metricsPath, page]]);
  const handle: Handler = (incoming, onFault) => {
    const found = find(incoming.url);
    const path = pathOf(incoming.url);
    if (!(found instanceof DispatchError)) {
      incoming.client.page = metricsPath.slice(1);
      return answerPage(page, { ...incoming, base: "", params: {}, path, query: "" }, onFault, {
        isForOtherOrigins: false,
      });
    }
    const { headers, id } = incoming;
    const common = toCommonHeaders(id, toShownVersion(headers["x-api-version"], null), "");
    const answer = toErrorAnswer(found, id, { ...incoming, base: "" });
    return finishAnswer({ ...answer, headers: { ...common, ...answer.headers } }, incoming);
  };
  const server = toServer(log, handle, makeUuid, {});
  try {
    const origin = await server.listen({ host, port });
    log.info(`Metrics at ${origin}${metricsPath}`);
    return server;
  } catch (error) {
    await server.close();
    const reason = describeListenFault(error, false);
    throw failure("usage", `Cannot listen on ${host}, port ${port}, for metrics: ${reason}.`, null, error);
  }
}
