import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that are short to read and take long, so that a run that begins them late ends with one of them alone. */
const longFiles = [
  "acceptance/installed-package",
  "acceptance/torture",
  "contract/prism",
  "acceptance/import",
];

/** Begins with the files that are known to take long. Of the others a fresh clone knows no more than how large they are. */
export default class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isNamed = (name: string) => (file: TestSpecification) =>
      file.moduleId.endsWith(`/test/${name}.test.ts`);
    const first = longFiles.flatMap((name) => sorted.filter(isNamed(name)));
    return [...first, ...sorted.filter((file) => !first.includes(file))];
  }
}
