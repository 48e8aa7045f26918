import { runDisks } from "./disks.js";
import { runFloods } from "./floods.js";
import { runKills } from "./kills.js";
import { runNeighbors } from "./neighbors.js";
import { runRequests } from "./requests.js";
import { runSoak } from "./soak.js";
import { runSockets } from "./sockets.js";

/**
 * The parts of the torture test, by name. Each takes its duration and size. It returns `rows` of the table (part,
 * what, figure, wrong) and `wrongs`, a line for each failure.
 */
export const parts = {
  kills: runKills,
  disks: runDisks,
  requests: runRequests,
  sockets: runSockets,
  floods: runFloods,
  neighbors: runNeighbors,
  soak: runSoak,
};
