import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import Module from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProgram } from "../support/program.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const leaf = join("dispatch-cli", `${process.version}-${process.arch}`);
/** Later versions of Node store their own files there. */
const isNodesOwn = "enableCompileCache" in Module;
const help = ["jobs", "list", "--help"];

let caches = 0;

/** A new cache folder, the command's output with it, and the files that it stores. */
function useCache() {
  caches += 1;
  const place = join(folder, `cache-${caches}`);
  const cache = join(place, leaf);
  return {
    cache,
    place,
    run: (others: Record<string, string> = {}) =>
      runProgram(help, { env: { XDG_CACHE_HOME: place, ...others } }),
    kept: () => readdirSync(cache).sort(),
  };
}

// Other systems keep the cache elsewhere.
describe.skipIf(process.platform !== "linux")("the compile cache", () => {
  it.skipIf(isNodesOwn)("keeps the chunks with a hash in their name, for their owner only", async () => {
    const { cache, kept, run } = useCache();
    await run();
    expect(kept().length).toBeGreaterThan(3);
    expect(kept().filter((name) => !/-[\w-]{8}\.cjs$/.test(name))).toEqual([]);
    expect(statSync(cache).mode & 0o777).toBe(0o700);
    expect(statSync(join(cache, kept()[0] ?? "")).mode & 0o777).toBe(0o600);
  });

  it("answers the same with and without it", async () => {
    const { run } = useCache();
    const first = await run();
    expect(first.code).toBe(0);
    expect(await run()).toEqual(first);
    expect(await run({ NODE_DISABLE_COMPILE_CACHE: "1" })).toEqual(first);
  });

  it("loads a package from it on demand", async () => {
    const env = { XDG_CACHE_HOME: useCache().place, DISPATCH_DATA: join(folder, "store.db") };
    await runProgram(["init", "--tenant", "Acme", "--location", "Yard"], { env });
    const show = () => runProgram(["tenants", "list", "-o", "yaml"], { env });
    const first = await show();
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(await show()).toEqual(first);
  });

  it.skipIf(isNodesOwn)("replaces chunks that are truncated, have a lost page, or are not code", async () => {
    const { cache, kept, run } = useCache();
    const first = await run();
    const files = kept().map((name) => join(cache, name));
    const size = (file: string) => statSync(file).size;
    const [large = "", cut = "", foreign = ""] = files.toSorted((a, b) => size(b) - size(a));
    const isLarge = (bytes: number) => bytes > 5000;
    writeFileSync(large, readFileSync(large).fill(0, 8192, 12_288));
    truncateSync(cut, 1000);
    writeFileSync(foreign, "no code");
    expect(await run()).toEqual(first);
    expect([cut, foreign].map(size)).toEqual([expect.toSatisfy(isLarge), expect.toSatisfy(isLarge)]);
    expect(readFileSync(large).subarray(8192, 12_288)).not.toEqual(Buffer.alloc(4096));
  });

  it.skipIf(isNodesOwn)("writes nothing if nothing is missing", async () => {
    const { cache, kept, run } = useCache();
    await run();
    const times = () => kept().map((name) => statSync(join(cache, name)).mtimeMs);
    const before = times();
    await run();
    expect(times()).toEqual(before);
  });

  it.skipIf(isNodesOwn)("stores chunks for other flags in another folder", async () => {
    const { kept, place, run } = useCache();
    await run();
    const before = kept();
    await run({ NODE_OPTIONS: "--max-old-space-size=300" });
    expect(kept()).toEqual(before);
    expect(readdirSync(join(place, "dispatch-cli"))).toHaveLength(2);
  });

  it("does not use a folder that other users may write to", async () => {
    const { cache, kept, run } = useCache();
    mkdirSync(cache, { recursive: true });
    chmodSync(cache, 0o777);
    expect((await run()).code).toBe(0);
    expect(kept()).toEqual([]);
  });

  it("has no effect if it cannot be written, and stores nothing if it is disabled", async () => {
    const { place, run } = useCache();
    expect((await run({ NODE_DISABLE_COMPILE_CACHE: "1" })).code).toBe(0);
    writeFileSync(place, "a file");
    expect(await run()).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(place, "utf8")).toBe("a file");
  });
});
