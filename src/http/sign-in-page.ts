import type * as z from "zod";
import { callOperation } from "../core/call-operation.ts";
import { newestVersion } from "../models/api-versions.ts";
import type { TokenModel } from "../models/user.ts";
import { exchangeLink } from "../operations/create-token.ts";
import type { Answering } from "./answer.ts";
import type { HttpAnswer } from "./http-answer.ts";
import { type HttpRequest, traceOf } from "./http-request.ts";

export const signInPath = "/sign-in";

/** The link is in the authorization header, so that logs mask it and the limit of failed logins counts it. */
export function createSignInPage({ identify, service }: Pick<Answering, "identify" | "service">) {
  return async (request: HttpRequest): Promise<HttpAnswer> => {
    const { actor } = await identify(request, { allow: "token" }, "link");
    const called = await callOperation(service, exchangeLink, {
      actor: await actor(),
      body: async () => undefined,
      params: {},
      query: {},
      queryViolations: [],
      requestId: request.id,
      trace: traceOf(request),
      version: newestVersion,
    });
    // The operation's own model has checked it.
    const { expires_on, id, roles, token, username } = called.value as z.output<typeof TokenModel>;
    return {
      status: 200,
      headers: { "cache-control": "no-store", "content-type": "application/json" },
      body: JSON.stringify({ roles, token, token_expires_on: expires_on, token_id: id, user: username }),
    };
  };
}
