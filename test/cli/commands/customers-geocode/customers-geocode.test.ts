import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { runCommand } from "../../../support/command-line.ts";
import { listen } from "../../../support/listen.ts";
import { toWords } from "../../../support/shell-words.ts";
import { useTempFolder } from "../../../support/temp-folder.ts";

const folder = useTempFolder();
let data = "";
const run = (line: string, env: Record<string, string> = {}, input = "") =>
  runCommand(toWords(line), { env: { DISPATCH_DATA: data, ...env }, input });

/** Three customers at the center of their ZIP. */
beforeEach(async ({ task }) => {
  data = join(folder, `${task.id}.db`);
  await run("init --time-zone America/New_York");
  const rows = ["Ann", "Bob", "Cy"].map(
    (name, index) => `${name},"${index + 1} Carter St, Manchester CT 06040"`,
  );
  await run(
    "import customers - --key name --coordinates zip --yes",
    {},
    ["name,address", ...rows].join("\n"),
  );
});

/** Starts a geocoder that answers with `answerOf` the address. */
async function startGeocoder(
  answerOf: (address: string) => unknown,
  beforeAnswer = async (_address: string): Promise<void> => undefined,
) {
  const asked: { address: string; at: number }[] = [];
  const address = await listen(async (request, response) => {
    const text = new URL(request.url ?? "", "http://x").searchParams.get("q") ?? "";
    asked.push({ address: text, at: performance.now() });
    await beforeAnswer(text);
    const answer = answerOf(text);
    response.writeHead(answer === null ? 503 : 200).end(JSON.stringify(answer));
  });
  return { asked, env: { DISPATCH_GEOCODER: `${address}/search?q={address}` } };
}

const nominatim = (address: string) => [{ lat: `41.77${address[0]}`, lon: "-72.52", display_name: address }];
const census = (address: string) => ({
  result: { addressMatches: [{ coordinates: { x: -72.52, y: Number(`41.77${address[0]}`) } }] },
});

const readPlaces = async () => {
  const { stdout } = await run("customers list -o json");
  const { results } = JSON.parse(stdout) as {
    results: { addresses: { latitude: number; longitude: number }[] }[];
  };
  return results.flatMap(({ addresses }) =>
    addresses.map(({ latitude, longitude }) => [latitude, longitude]),
  );
};

describe("customers geocode", () => {
  it.each([
    ["Nominatim", nominatim],
    ["the US Census", census],
  ])("stores the positions of a geocoder that answers like %s", async (_, answerOf) => {
    const { asked, env } = await startGeocoder(answerOf);
    expect(await run("customers geocode --yes --per-second 1000", env)).toMatchObject({
      code: 0,
      stdout: "3 of 3 addresses located.\n",
    });
    expect(asked.map(({ address }) => address)).toContain("1 Carter St, Manchester, CT 06040");
    const places = [1, 2, 3].map((number) => [Number(`41.77${number}`), -72.52]);
    expect(await readPlaces()).toEqual(places);
  });

  it("continues after a failure with the addresses that are left", async () => {
    let count = 0;
    const { asked, env } = await startGeocoder((address) => (++count === 2 ? null : nominatim(address)));
    expect(await run("customers geocode --yes --per-second 1000", env)).toMatchObject({
      code: 8,
      stderr: expect.stringMatching(/geocoder at 127.0.0.1:\d+ gave no answer \(status 503\)/),
    });
    expect((await run("customers geocode --yes --per-second 1000", env)).stdout).toContain(
      "2 of 2 addresses",
    );
    expect(asked).toHaveLength(4);
    expect((await run("customers geocode --yes", env)).stdout).toContain("0 addresses with an approximate");
  });

  it("names an address that the geocoder does not know, and keeps its position", async () => {
    const { env } = await startGeocoder((address) => (address.startsWith("2") ? [] : nominatim(address)));
    const { stderr, stdout } = await run("customers geocode --yes --per-second 1000", env);
    expect(stdout).toBe("2 of 3 addresses located; 1 unknown to the geocoder stay approximate.\n");
    expect(stderr).toContain("Bob: the geocoder does not know 2 Carter St");
  });

  it.each([
    ["empty", { lat: null, lon: "" }],
    ["a list", { lat: [], lon: [7] }],
    ["out of range", { lat: "1e9", lon: "2" }],
  ])("stores no position that is %s", async (_, place) => {
    const before = await readPlaces();
    const { env } = await startGeocoder(() => [place]);
    const { code, stdout } = await run("customers geocode --yes --per-second 1000", env);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^0 of 3 addresses located/)]);
    expect(await readPlaces()).toEqual(before);
  });

  it("keeps an address that somebody changed or removed while the geocoder looked for the old one", async () => {
    const before = await readPlaces();
    const { env } = await startGeocoder(nominatim, async (address) => {
      if (address.startsWith("1")) await run('addresses update 1 --customer 1 --line-1 "9 Elm St"');
      if (address.startsWith("2")) await run("addresses remove 2 --customer 2 --yes");
    });
    const { code, stderr, stdout } = await run("customers geocode --yes --per-second 1000", env);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^1 of 3 addresses located; 2 changed during the run/),
    ]);
    expect(stderr).toContain("Ann");
    expect((await readPlaces())[0]).toEqual(before[0]);
  });

  it("sends one request a second by default", async () => {
    const { asked, env } = await startGeocoder((address) =>
      address.startsWith("3") ? null : nominatim(address),
    );
    await run("customers geocode --yes", env);
    const [first, second] = asked;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(900);
  });

  it("sends nothing without a geocoder, in a dry run, or without a confirmation", async () => {
    const { asked, env } = await startGeocoder(nominatim);
    expect(await run("customers geocode --yes")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("DISPATCH_GEOCODER is not set."),
    });
    const remote = { DISPATCH_GEOCODER: "http://geocoder.example.com/?q={address}" };
    expect((await run("customers geocode --yes", remote)).stderr).toContain("is not an https address");
    expect((await run("customers geocode --dry-run", env)).stdout).toContain(
      "3 addresses with an approximate",
    );
    expect(await run("customers geocode", env)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Send 3 addresses to 127.0.0.1:\d+, and store the positions\?/),
    });
    expect(asked).toEqual([]);
  });

  it("is taken back by one undo", async () => {
    const before = await readPlaces();
    const { env } = await startGeocoder(nominatim);
    await run("customers geocode --yes --per-second 1000", env);
    expect((await run("undo --yes")).stdout).toBe("Undone: 3 of 3 changes.\n");
    expect(await readPlaces()).toEqual(before);
  });

  it("needs no geocoder for positions in an edited export", async () => {
    const { stdout } = await run("export customers -o csv");
    const edited = stdout.replaceAll(/,41\.761,(?=1 Carter)/g, ",41.7725,");
    await run("import customers - --key id --yes", {}, edited);
    expect((await readPlaces())[0]?.[0]).toBe(41.7725);
    expect((await run("customers geocode --dry-run")).stdout).toContain("2 addresses");
  });
});
