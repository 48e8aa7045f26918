// Prints each figure with its ratio to a floor that was measured in the same run; only ratios carry over to other machines.
import { measureCreateJobs } from "./create-jobs.js";
import { measureDeliver, measureEvents } from "./deliver.js";
import { measureExport } from "./export.js";
import { measureFindDuplicates } from "./find-duplicates.js";
import { measureListJobs } from "./list-jobs.js";
import { measureOlderLayout } from "./older-layout.js";
import { measureServers } from "./servers.js";
import { measureStartUp } from "./start-up.js";

measureStartUp();
await measureListJobs();
await measureOlderLayout();
await measureCreateJobs();
await measureFindDuplicates();
await measureDeliver();
await measureEvents();
await measureExport();
await measureServers();
