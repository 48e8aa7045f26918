import { DispatchError } from "../../errors/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { bad, type Finding, judgeAll } from "./finding.ts";
import { serverChecks } from "./server-checks.ts";
import { readServerFacts } from "./server-facts.ts";

/** Looks at a server from outside. */
export async function diagnoseServer(url: string, token: string | null, clock: Clock): Promise<Finding[]> {
  try {
    const facts = await readServerFacts(url, token);
    return judgeAll(serverChecks, { facts, now: clock.now() });
  } catch (error) {
    if (!(error instanceof DispatchError) || error.code !== "target_unreachable") throw error;
    return [{ check: "server", ...bad(error.message, "Start the server, or correct the address in --url.") }];
  }
}
