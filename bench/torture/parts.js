import { runKills } from "./kills.js";
import { runRequests } from "./requests.js";

/**
 * The parts of the torture, by name. Each takes how long and how much, and gives `rows` of the table (part, what, figure,
 * wrong) and `wrongs`, a line for each thing that did not hold.
 */
export const parts = {
  kills: runKills,
  requests: runRequests,
};
