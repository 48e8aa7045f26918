// Kills commands, servers, workers, and deliverers with SIGKILL, at named points and at random. Every acknowledged
// change must be stored, nothing half done, and every event delivered.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "../store.js";
import { commandScenarios, toStrike } from "./kills/commands.js";
import { failoverScenarios } from "./kills/failovers.js";
import { moveScenarios } from "./kills/moves.js";
import { secretScenarios } from "./kills/secrets.js";
import { serverScenarios } from "./kills/servers.js";
import { createRandom, seedOf } from "./random.js";

const roundsInAll = 500;
const shortRounds = 1;
/** Servers are killed more often than commands. */
const serverWeight = 3;

/** Runs every scenario on every database in turn, until the rounds or the time are used up. */
export async function runKills({ databases, isShort, only, round: onlyRound, seed, until }) {
  const rows = [];
  const wrongs = [];
  const all = [
    ...commandScenarios,
    ...secretScenarios,
    ...moveScenarios,
    ...failoverScenarios,
    ...serverScenarios.map((one) => ({ ...one, weight: serverWeight })),
  ];
  const pairs = databases.flatMap((database) =>
    all
      .filter(({ name }) => !only || name.includes(only))
      .filter(({ needsFile, needsPostgres }) => !(database.isFile ? needsPostgres : needsFile))
      .map((scenario) => ({ database, scenario })),
  );
  const weights = pairs.reduce((sum, { scenario }) => sum + (scenario.weight ?? 1), 0);
  const startedAt = performance.now();
  let done = 0;
  for (const { database, scenario } of pairs) {
    const weight = scenario.weight ?? 1;
    const share = weight / weights;
    done += share;
    const told = await runScenario(database, scenario, {
      rounds: isShort ? shortRounds : Math.ceil(roundsInAll * share),
      onlyRound,
      seed,
      until: until === Infinity ? until : startedAt + (until - startedAt) * done,
    });
    rows.push({
      part: "kills",
      what: `${scenario.name}, ${database.name}`,
      figure: describe(told),
      wrong: told.wrongs.length,
    });
    wrongs.push(...told.wrongs.map((wrong) => `${scenario.name}, ${database.name}: ${wrong}`));
  }
  return { rows, wrongs };
}

const describe = ({ rounds, killed, note }) =>
  `${rounds} ${rounds === 1 ? "round" : "rounds"}, ${killed} killed in time${note ? `, ${note}` : ""}`;

async function runScenario(database, scenario, { rounds, onlyRound, seed, until }) {
  const folder = scratch(`kills-${database.name}-${scenario.name.replaceAll(/\W+/g, "-")}`);
  mkdirSync(folder, { recursive: true });
  const made = [];
  const world = {
    folder,
    isFile: database.isFile,
    fresh: async (name) => {
      const address = await database.toAddress(join(folder, name));
      made.push(address);
      return address;
    },
    drop: (address) => (database.isFile ? removeFiles(folder, address) : database.drop(address)),
  };
  const told = { rounds: 0, killed: 0, note: "", wrongs: [] };
  const state = await scenario.open(world);
  try {
    const first = onlyRound ?? 0;
    for (let number = first; number < (onlyRound === undefined ? rounds : first + 1); number++) {
      if (performance.now() > until && told.rounds > 0) break;
      const random = createRandom(seedOf(seed, number));
      const strike = async (argv, spanMs) => {
        const outcome = await toStrike(random, folder)(argv, spanMs);
        if (outcome.signal === "SIGKILL") told.killed += 1;
        return outcome;
      };
      const repeat = `--only kills --seed ${seed} --round ${number}`;
      const { point, wrongs } = await scenario
        .round(state, { ...world, number, random, strike, told })
        .catch((error) => ({
          point: "the round broke off",
          wrongs: [String(error?.stack ?? error)],
        }));
      told.rounds += 1;
      told.wrongs.push(...wrongs.map((wrong) => `round ${number}, killed ${point}: ${wrong} (${repeat})`));
    }
    const last = (await scenario.finish?.(state)) ?? { wrongs: [] };
    told.note = last.note ?? "";
    told.wrongs.push(...last.wrongs);
  } finally {
    await scenario.close?.(state);
    if (!database.isFile) for (const address of made) await database.drop(address);
    rmSync(folder, { recursive: true, force: true });
  }
  return told;
}

/** Removes a store and the files next to it. */
function removeFiles(folder, file) {
  const name = file.slice(folder.length + 1);
  for (const one of readdirSync(folder)) if (one.startsWith(name)) rmSync(join(folder, one), { force: true });
}
