import { expect, expectTypeOf, it } from "vitest";
import { toExample } from "../../../src/cli/operation-command/to-example.ts";
import { loadPresentation } from "../../../src/cli/presentation/index.ts";
import type { PresentationsOf } from "../../../src/cli/presentation/presentation.ts";
import { loadOperation, operationNames, storeOperationNames } from "../../../src/operations/index.ts";

const names = [...operationNames, ...storeOperationNames];

it("gives every operation an example", async () => {
  const examples = await Promise.all(
    names.map(async (name) => {
      const [operation, presentation] = await Promise.all([loadOperation(name), loadPresentation(name)]);
      return toExample({ atLocation: null, operation, presentation });
    }),
  );
  expect(names.filter((_, index) => !examples[index])).toEqual([]);
});

it("compiles only for names of operations", () => {
  expectTypeOf<{ "trucks.list": { example: string } }>().toExtend<PresentationsOf<"trucks">>();
  // @ts-expect-error no operation has this name
  void ({ "trucks.lst": { example: "trucks list" } } satisfies PresentationsOf<"trucks">);
  // @ts-expect-error this operation belongs to another noun
  void ({ "drivers.list": { example: "drivers list" } } satisfies PresentationsOf<"trucks">);
});

it("contains no command line in a declaration", async () => {
  const operations = await Promise.all(names.map(loadOperation));
  expect(operations.filter((operation) => "cli" in operation)).toEqual([]);
});
