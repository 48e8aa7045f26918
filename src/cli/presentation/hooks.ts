import { failure } from "../../errors/errors.ts";
import { toTitle } from "./change.ts";
import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of hooks. */
export const hooks = {
  "hooks.create": {
    example: "hooks create --events Job --events Truck --callback-url https://example.com/hook",
  },
  "hooks.list": {
    cells: { events: ({ subscriptions }) => (subscriptions as string[]).join(", ") },
    columns: ["id", "url", "events", "description", "deleted_at", "last_http_success", "last_http_fail"],
    example: "hooks list",
  },
  "hooks.get": { example: "hooks get 1" },
  "hooks.update": { example: "hooks update 1 --events Job --events Customer" },
  "hooks.delete": { example: "hooks delete 2 --yes" },
  "hooks.ping": {
    example: "hooks ping 1",
    failureIn: ({ http_status, message }) =>
      Number(http_status) >= 200 && Number(http_status) <= 299
        ? null
        : failure("ping_failed", String(message)),
  },
  "hooks.trigger": { example: "hooks trigger Truck --record 1 --hook 1" },
  "hooks.rotate-secret": { example: "hooks rotate-secret 1 --overlap-hours 48" },
  "hooks.replay": {
    told: {
      tell: ({ after: { count } }) =>
        `${count === 1 ? "1 delivery is" : `${count} deliveries are`} sent again`,
    },
    example: "hooks replay 1 --from 2026-11-20 --delivered --dry-run",
  },
  "hooks.enable": {
    asks: ["backlog"],
    told: {
      tell: ({ after, before, kind }) => {
        const wasActive = before !== null && before.deleted_at === null;
        return `${toTitle(kind, after)} ${wasActive ? "was active already" : "active again"}`;
      },
      needsBefore: true,
    },
    example: "hooks enable 2 --backlog send",
  },
} satisfies PresentationsOf<"hooks">;
