import { backup, backupOfPostgres } from "./backup.js";
import { capacity } from "./capacity.js";
import { cpu } from "./cpu.js";
import { createCustomers } from "./create-customers.js";
import { createJobs } from "./create-jobs.js";
import { deliveries } from "./deliveries.js";
import { exportJobs } from "./export-jobs.js";
import { growth } from "./growth.js";
import { importJobs } from "./import-jobs.js";
import { latency } from "./latency.js";
import { lists } from "./lists.js";
import { longWork, longWorkOnPostgres } from "./long-work.js";
import { memory } from "./memory.js";
import { noisyNeighbor } from "./noisy-neighbor.js";
import { olderLayout } from "./older-layout.js";
import { packageLine } from "./package.js";
import { pages } from "./pages.js";
import { plans } from "./plans.js";
import { postgres, postgresAway, postgresServers } from "./postgres.js";
import { postgresIdle } from "./postgres-idle.js";
import { reads } from "./reads.js";
import { replicas } from "./replicas.js";
import { rollingRestart } from "./rolling-restart.js";
import { search, searchOnPostgres } from "./search.js";
import { startUp } from "./start-up.js";
import { tenantMove } from "./tenant-move.js";

/**
 * The lines of the table in order. Each has a name for `--only` and returns its results one after another.
 */
export const lines = [
  { name: "start-up", measure: startUp },
  { name: "reads", measure: reads },
  { name: "cpu", measure: cpu },
  { name: "lists", measure: lists },
  { name: "older-layout", measure: olderLayout },
  { name: "create-jobs", measure: createJobs },
  { name: "create-customers", measure: createCustomers },
  { name: "search", measure: search },
  { name: "import", measure: importJobs },
  { name: "export", measure: exportJobs },
  { name: "backup", measure: backup },
  { name: "deliveries", measure: deliveries },
  { name: "latency", measure: latency },
  { name: "noisy-neighbor", measure: noisyNeighbor },
  { name: "long-work", measure: longWork },
  { name: "memory", measure: memory },
  { name: "growth", measure: growth },
  { name: "package", measure: packageLine },
  { name: "pages", measure: pages },
  { name: "postgres", measure: postgres, needsPostgres: true },
  { name: "postgres-idle", measure: postgresIdle, needsPostgres: true },
  { name: "postgres-backup", measure: backupOfPostgres, needsPostgres: true },
  { name: "postgres-search", measure: searchOnPostgres, needsPostgres: true },
  { name: "postgres-away", measure: postgresAway, needsPostgres: true },
  { name: "postgres-long-work", measure: longWorkOnPostgres, needsPostgres: true },
  { name: "postgres-servers", measure: postgresServers, needsPostgres: true },
  { name: "plans", measure: plans, needsPostgres: true },
  { name: "replicas", measure: replicas, needsPostgres: true },
  { name: "rolling-restart", measure: rollingRestart, needsPostgres: true },
  { name: "capacity", measure: capacity, needsPostgres: true },
  { name: "tenant-move", measure: tenantMove, needsPostgres: true },
];
