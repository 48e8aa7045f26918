// Kills the move of a tenant. The repeated command must finish it, and one of the two stores must have the tenant.
import { demoStore } from "../../store.js";
import { findIll, mustRun, query } from "../stores.js";
import { judgeMove } from "./judge.js";

const demoJobs = 300;
const [tenant, newId] = [2, 9];
const tables = ["users", "customers", "trucks", "jobs", "audit", "events", "deliveries"];
/** About as long as the command runs. */
const spanMs = 4000;

export const moveScenarios = [
  { name: "tenants move", open: openSource, round: killMove, needsPostgres: true },
];

async function openSource({ fresh }) {
  const data = await fresh("source.db");
  const wrongs = await mustRun(["store", "copy", "--from", demoStore(demoJobs).data, "--to", data]);
  if (wrongs.length > 0) throw new Error(wrongs[0]);
  return { data };
}

async function killMove({ data }, { fresh, drop, strike }) {
  const to = await fresh("target.db");
  const wrongs = await mustRun(["init", "--tenant", "Another", "--data", to]);
  const wanted = await countRows(data, tenant);
  const argv = ["tenants", "move", `${tenant}`, "--to", to, "--new-id", `${newId}`, "--yes", "--data", data];
  const { point } = await strike(argv, spanMs);
  // After its last step the tenant is there, and the repeated command refuses its id.
  if (!(await findState(to, newId))?.is_active) wrongs.push(...(await mustRun(argv)));
  const [here, there] = [await findState(data, tenant), await findState(to, newId)];
  wrongs.push(...judgeMove({ here, there, wanted, found: await countRows(to, newId) }));
  wrongs.push(...(await findIll(to)));
  await drop(to);
  wrongs.push(...(await mustRun(["tenants", "update", `${tenant}`, "--is-active", "true", "--data", data])));
  return { point, wrongs };
}

async function countRows(data, id) {
  const counts = tables.map((table) => `select count(*) as rows from ${table} where tenant_id = ${id}`);
  return (await query(data, ...counts)).map(([{ rows }], at) => `${rows} ${tables[at]}`);
}

async function findState(data, id) {
  const [[state]] = await query(data, `select is_active, frozen_reason from tenants where id = ${id}`);
  return state;
}
