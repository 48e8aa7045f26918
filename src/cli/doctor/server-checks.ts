import { type Timestamp, toEpochMs } from "../../runtime/clock.ts";
import { bad, type Check, ok, warn } from "./finding.ts";
import type { ServerFacts } from "./server-facts.ts";

/** What a server said, and when. */
export interface ServerAt {
  facts: ServerFacts;
  now: Timestamp;
}

const dayMs = 86_400_000;
/** The header Date is told to the second. */
const skewMsMax = 5_000;

/** The checks of a server that need no access to its store. */
export const serverChecks: readonly Check<ServerAt>[] = [
  {
    name: "server",
    judge: ({ facts: { isUp, latencyMs, url } }) => {
      if (!isUp) return bad(`${url} answers, but is no dispatch service`, "Correct the address in --url.");
      const detail = `answers within ${Math.ceil(latencyMs)} ms`;
      return latencyMs < 1000
        ? ok(detail)
        : warn(detail, "Look at the load of the server, and at the network.");
    },
  },
  {
    name: "store",
    judge: ({ facts: { notReady } }) =>
      notReady === null
        ? ok("the server reads and writes its store")
        : bad(notReady, "Run `dispatch-cli doctor --data <store>` where the store is."),
  },
  {
    name: "deliveries",
    judge: ({ facts: { oldestPendingOn } }) =>
      ok(oldestPendingOn === null ? "nothing is pending" : `the oldest pending one is of ${oldestPendingOn}`),
  },
  {
    name: "clock",
    judge: ({ facts: { dateMs }, now }) => {
      if (dateMs === null) return ok("the server does not tell its time");
      const skewMs = dateMs - toEpochMs(now);
      if (Math.abs(skewMs) <= skewMsMax) return ok("the server's clock and this machine's agree");
      const [seconds, side] = [Math.round(Math.abs(skewMs) / 1000), skewMs > 0 ? "ahead of" : "behind"];
      return warn(
        `the server's clock is ${seconds} s ${side} this machine's`,
        "Set the clock of the machine that is wrong (`date -u` shows it).",
      );
    },
  },
  {
    name: "token",
    judge: ({ facts: { token }, now }) => {
      if (token === null)
        return warn("there is none to try", "Set DISPATCH_TOKEN, or name a file with --token-file.");
      if (token.status >= 400) return bad(`refused with status ${token.status}`, newToken);
      if (token.expiresOn === null) return ok(`of ${token.user}, does not expire`);
      const detail = `of ${token.user}, expires on ${token.expiresOn}`;
      return toEpochMs(token.expiresOn) - toEpochMs(now) < 7 * dayMs ? warn(detail, newToken) : ok(detail);
    },
  },
];

const newToken = "dispatch-cli tokens create --username <name> --data <store>";
