import { defineOperation } from "../../core/operation.ts";
import { boolean } from "../../models/fields.ts";
import { WebhookListModel } from "../../models/hook.ts";
import { optional } from "../../models/model.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { toHookAnswer } from "./hook-answer.ts";

export const listHooks = defineOperation({
  name: "hooks.list",
  summary: "List webhooks",
  route: "GET /hooks",
  query: {
    ...paging,
    deleted: optional(boolean().describe("true only deactivated webhooks, false only active ones")),
  },
  output: WebhookListModel,
  allow: ["Admin", "Dispatcher"],
  async run({ actor, store }, { query }) {
    const wanted = toPaging(query);
    const page = await store.hooks.page(query.deleted, wanted);
    return toList({ ...page, rows: page.rows.map((hook) => toHookAnswer(actor, hook)) }, wanted);
  },
});
