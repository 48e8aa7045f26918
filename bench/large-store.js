import { copyFileSync } from "node:fs";
import SqliteDatabase from "better-sqlite3";
import { plainStore, scratch } from "./store.js";

const made = new Map();
/** Each page is of another truck, so there must be enough trucks. */
const trucksMin = 200;
const baseJobs = 2000;

/**
 * Returns the facts of a demo store with this many jobs, and the ids of the first location's trucks. The jobs are
 * copies on more trucks, inserted as rows to save an hour of requests. Each run creates the store once.
 */
export function largeStore(jobs) {
  if (!made.has(jobs)) made.set(jobs, grow(jobs));
  return made.get(jobs);
}

/** The same with this many jobs in each of its two tenants. Returns the facts of both. */
export function sharedStore(jobs) {
  const base = plainStore(baseJobs);
  const data = scratch(`shared-${jobs}.db`);
  return changed(base, data, (db) =>
    db
      .prepare("select tenant_id, min(id) as location_id from locations group by tenant_id")
      .all()
      .map((place) => ({ ...base, ...place, data, trucks: growTenant(db, place, jobs) })),
  );
}

/**
 * Returns a demo store with this many completed jobs of earlier years: copies of its completed jobs at the location
 * of the store's facts. `customer_id` is the customer with the most open jobs.
 */
export function historyStore(completed) {
  const base = plainStore(baseJobs);
  return changed(base, scratch(`history-${completed}.db`), (db, data) => {
    const { tenant_id, location_id } = base;
    const columns = columnsOf(db, "jobs").filter(
      (name) => !["id", "pickup_of", "schedule_key"].includes(name),
    );
    const rows = db
      .prepare(`select ${columns}, schedule_key from jobs where tenant_id = ? and is_completed = 1`)
      .all(tenant_id);
    const names = [...columns, "schedule_key"];
    const insert = db.prepare(`insert into jobs (${names}) values (${names.map((name) => `@${name}`)})`);
    db.transaction(() => {
      for (let number = 0; number < completed; number++) {
        const row = rows[number % rows.length];
        const schedule_key = `${2010 + (number % 12)}${row.schedule_key.slice(4)}`;
        insert.run({ ...row, location_id, schedule_key, image_count: 0, material_count: 0, return_count: 0 });
      }
    })();
    const customer_id = db
      .prepare(
        `select customer_id from jobs where tenant_id = ? and is_completed = 0
          group by customer_id order by count(*) desc limit 1`,
      )
      .pluck()
      .get(tenant_id);
    return { ...base, data, completed, customer_id };
  });
}

function grow(jobs) {
  const base = plainStore(baseJobs);
  const data = scratch(`large-${jobs}.db`);
  return changed(base, data, (db) => {
    const trucks = addTrucks(db, base.location_id);
    addJobs(db, base, trucks, jobs - db.prepare("select count(*) from jobs").pluck().get());
    return { ...base, data, trucks, jobs };
  });
}

/** Changes the rows of a copy of a store. Returns the result of `change`. */
function changed(base, data, change) {
  copyFileSync(base.data, data);
  const db = new SqliteDatabase(data);
  db.pragma("journal_mode = MEMORY");
  db.pragma("synchronous = OFF");
  const result = change(db, data);
  db.exec("analyze");
  db.pragma("journal_mode = WAL");
  db.close();
  return result;
}

function growTenant(db, place, jobs) {
  const trucks = addTrucks(db, place.location_id);
  const known = db.prepare("select count(*) from jobs where tenant_id = ?").pluck().get(place.tenant_id);
  addJobs(db, place, trucks, jobs - known);
  return trucks;
}

function addTrucks(db, locationId) {
  const columns = columnsOf(db, "trucks").filter((name) => name !== "id");
  const insert = db.prepare(
    `insert into trucks (${columns}) select ${columns.map((name) => (name === "name" ? "? as name" : name === "driver_id" ? "null" : name))}
      from trucks where location_id = ? order by id limit 1`,
  );
  const idsOf = () =>
    db.prepare("select id from trucks where location_id = ? order by id").pluck().all(locationId);
  db.transaction(() => {
    for (let number = idsOf().length; number < trucksMin; number++) insert.run(`Bench ${number}`, locationId);
  })();
  return idsOf();
}

function addJobs(db, { location_id }, trucks, missing) {
  const columns = columnsOf(db, "jobs").filter((name) => name !== "id" && name !== "pickup_of");
  const rows = db
    .prepare(`select ${columns} from jobs where location_id = ? and truck_id is not null`)
    .all(location_id);
  const insert = db.prepare(`insert into jobs (${columns}) values (${columns.map((name) => `@${name}`)})`);
  db.transaction(() => {
    for (let number = 0; number < missing; number++) {
      const row = rows[number % rows.length];
      const truck_id = trucks[number % trucks.length];
      const record = row.record.replace(/"truck_id":\d+/, `"truck_id":${truck_id}`);
      insert.run({ ...row, truck_id, record, image_count: 0, material_count: 0, return_count: 0 });
    }
  })();
}

function columnsOf(db, table) {
  return db.prepare("select name from pragma_table_info(?)").pluck().all(table);
}
