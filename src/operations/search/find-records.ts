import { defineOperation } from "../../core/operation.ts";
import { foundKinds, SearchAnswerModel, searchQuery } from "../../models/search.ts";
import { roles } from "../../models/user.ts";

export const findRecords = defineOperation({
  name: "search.find",
  summary: "Find customers, jobs, trucks and drivers by what people call them",
  method: "GET",
  path: "/search",
  params: {},
  query: searchQuery,
  body: null,
  output: SearchAnswerModel,
  roles,
  effect: "read",
  extension: true,
  async run({ store }, { query }) {
    return store.search.find({
      isActive: query.active ?? false,
      kinds: query.kind ? [query.kind] : foundKinds,
      limit: query.limit ?? limitByDefault,
      locationId: query.location_id ?? null,
      query: query.q,
    });
  },
});

const limitByDefault = 10;
