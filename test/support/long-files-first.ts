import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Small files with slow tests. If a run starts them last, it ends with one of them running alone. */
const longFiles = [
  "acceptance/installed-package",
  "acceptance/torture",
  "contract/prism",
  "acceptance/import",
];

/**
 * Starts the files that are known to be slow first, then the others by size, because a fresh clone has no durations.
 */
export default class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isNamed = (name: string) => (file: TestSpecification) =>
      file.moduleId.endsWith(`/test/${name}.test.ts`);
    const first = longFiles.flatMap((name) => sorted.filter(isNamed(name)));
    return [...first, ...sorted.filter((file) => !first.includes(file))];
  }
}
