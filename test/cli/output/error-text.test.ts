import { expect, test } from "vitest";
import { formatError } from "../../../src/cli/output/error-text.ts";

const error = {
  title: "The request is not valid",
  errors: [
    {
      code: "too_long",
      detail: "name must have at most 64 characters, not 70",
      field: "CreateCustomerModel.name",
    },
    {
      code: "invalid_choice",
      detail: "must be a country",
      field: "CreateCustomerModel.addresses[0].country",
    },
    { code: "state_conflict", detail: "Job 3 goes before it", field: "MoveJobModel" },
    { code: "bad_page", detail: "must be at least 1", field: "page_index" },
    { code: "no_truck", detail: "Truck 7 is out of service", field: null },
  ],
  hint: "Correct these fields and send it again.",
  requestId: "2b1c6c0e-8f0e-4f0a-9f54-0e6c7f1f3a11",
};

test("an error shows what failed, every reason with its field, a fix, and the request id", async () => {
  expect(await formatError(error, { color: false })).toMatchInlineSnapshot(`
    "error: The request is not valid
      why: name must have at most 64 characters, not 70
      why: addresses[0].country: must be a country
      why: Job 3 goes before it
      why: page_index: must be at least 1
      why: Truck 7 is out of service
      fix: Correct these fields and send it again.
      request id: 2b1c6c0e-8f0e-4f0a-9f54-0e6c7f1f3a11
    "
  `);
});

test("an error contains only what is known", async () => {
  const bare = { title: "The server cannot be reached", errors: [], hint: null, requestId: null };
  expect(await formatError(bare, { color: false })).toBe("error: The server cannot be reached\n");
});

test("an error is red and its labels are faint", async () => {
  const short = { ...error, errors: [], requestId: null };
  expect(await formatError(short, { color: true })).toBe(
    "\x1b[31m\x1b[1merror:\x1b[22m\x1b[39m The request is not valid\n" +
      "  \x1b[2mfix:\x1b[22m Correct these fields and send it again.\n",
  );
});

test("the text of an error cannot control the terminal or fake another line", async () => {
  const hostile = "\x1b[2J\n  fix: run rm -rf";
  const text = await formatError(
    {
      title: hostile,
      errors: [{ code: "x", detail: hostile, field: hostile }],
      hint: hostile,
      requestId: hostile,
    },
    { color: false },
  );
  expect(text.match(/^/gm)).toHaveLength(5);
  expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
});

test("an error on a terminal wraps between words, and breaks a command only if it is longer than a line", async () => {
  const long = {
    title: "A field refers to a record that does not exist",
    errors: [
      {
        code: "x",
        detail:
          "DispatchJobRequestModel.truck_id: there is no truck at location 1 with the id 107; `trucks list` has them.",
        field: "DispatchJobRequestModel.truck_id",
      },
    ],
    hint: "Look with `dispatch-cli trucks list --location 1`.",
    requestId: null,
  };
  expect(await formatError(long, { color: false, columns: 60 })).toMatchInlineSnapshot(`
    "error: A field refers to a record that does not exist
      why: truck_id: there is no truck at location 1 with the
        id 107; \`trucks list\` has them.
      fix: Look with \`dispatch-cli trucks list --location 1\`.
    "
  `);
});
