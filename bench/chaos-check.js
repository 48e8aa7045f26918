/** Queries for the rows after the given ids, and for the customers. */
export function toQueries({ audit, events, jobs }) {
  return {
    audit: `select id, action, operation, record_id, record_type, request_id, before, after,
      cast(created_on as text) as moment from audit where id > ${audit} order by id`,
    deliveries: `select event_id from deliveries where event_id > ${events}`,
    events: `select id, uuid, kind, action, record_id, data, cast(created_on as text) as moment from events
      where id > ${events} order by id`,
    jobs: `select id, is_completed, record, truck_id from jobs where id > ${jobs}`,
    customers: "select id, name from customers",
  };
}

/** Whether the outcome of a write is unknown to its client: no answer, or a server error. */
export const isUnknown = ({ status }) => status === null || status >= 500;

/**
 * Compares the answers that clients got with the stored rows. Returns the number of unknown writes that are
 * stored, and a line for each difference.
 */
export function compare(writes, stored) {
  const audit = stored.audit.map((row) => ({
    ...row,
    before: JSON.parse(row.before ?? "{}"),
    after: JSON.parse(row.after ?? "{}"),
  }));
  const found = matchWrites(writes, audit);
  return {
    unknownStored: found.unknownStored,
    wrongs: [
      ...found.wrongs,
      ...compareEvents(audit, stored.events),
      ...compareDeliveries(stored.events, stored.deliveries),
      ...compareJobs(audit, stored.jobs),
      ...compareCustomers(audit, stored.customers),
    ],
  };
}

function matchWrites(writes, audit) {
  const byRequest = groupBy(audit, ({ request_id }) => request_id);
  const byWrite = groupBy(audit, toRowKey);
  const wrongs = [];
  let unknownStored = 0;
  for (const write of writes) {
    const { marker, operation, recordId, requestId, status } = write;
    const shown = `${operation} of ${marker} (answer ${status ?? "none"}, request ${requestId ?? "unknown"})`;
    const rows = byWrite.get(toWriteKey(write)) ?? [];
    byWrite.delete(toWriteKey(write));
    if (isUnknown(write)) {
      unknownStored += Math.min(rows.length, 1);
      if (rows.length > 1) wrongs.push(`${shown}: written ${rows.length} times`);
      if (status !== null && status !== 503) wrongs.push(`${shown}: a fault`);
    } else if (status !== 200) {
      wrongs.push(`${shown}: refused${rows.length > 0 ? ", and written" : ""}`);
    } else {
      const ofRequest = byRequest.get(requestId) ?? [];
      if (rows.length !== 1) wrongs.push(`${shown}: acknowledged, and written ${rows.length} times`);
      if (ofRequest.length !== 1) wrongs.push(`${shown}: ${ofRequest.length} audit rows have its request`);
      if (ofRequest.some((row) => row.record_id !== recordId)) wrongs.push(`${shown}: of another record`);
    }
  }
  for (const [key, rows] of byWrite) wrongs.push(`${key}: ${rows.length} rows, and nobody asked for it`);
  return { unknownStored, wrongs };
}

const markedFields = {
  "customers.update": "name",
  "jobs.create": "dispatcher_notes",
  "jobs.update": "driver_notes",
};

function toRowKey({ operation, record_id, after }) {
  const field = markedFields[operation];
  return field ? `${operation} ${after[field]}` : `${operation} of record ${record_id}`;
}

const toWriteKey = ({ operation, recordId, marker }) =>
  toRowKey({ operation, record_id: recordId, after: { [markedFields[operation]]: marker } });

/** Each audit entry has its event, and each event its audit entry. */
function compareEvents(audit, events) {
  const left = groupBy(events, ({ kind, record_id, action, moment }) =>
    [kind, record_id, action, moment].join(" "),
  );
  const wrongs = [];
  for (const { record_type, record_id, action, moment, operation, after } of audit) {
    const key = [record_type, record_id, action, moment].join(" ");
    const candidates = left.get(key) ?? [];
    const field = markedFields[operation];
    const index = candidates.findIndex(({ data }) => !field || JSON.parse(data)[field] === after[field]);
    if (index === -1) wrongs.push(`${key}: no event`);
    else candidates.splice(index, 1);
  }
  for (const [key, rows] of left) if (rows.length > 0) wrongs.push(`${key}: ${rows.length} events too many`);
  return wrongs;
}

/** Each event has a delivery to the demo's only webhook. */
function compareDeliveries(events, deliveries) {
  const byEvent = groupBy(deliveries, ({ event_id }) => event_id);
  return events
    .map(({ id }) => ({ id, count: byEvent.get(id)?.length ?? 0 }))
    .filter(({ count }) => count !== 1)
    .map(({ id, count }) => `event ${id}: ${count} deliveries`);
}

/** Each job equals its audit entries, and no job lacks them. */
function compareJobs(audit, jobs) {
  const byRecord = groupBy(
    audit.filter(({ record_type }) => record_type === "Job"),
    ({ record_id }) => record_id,
  );
  const wrongs = [];
  for (const job of jobs) {
    const told = Object.assign({}, ...(byRecord.get(job.id) ?? []).map(({ after }) => after));
    byRecord.delete(job.id);
    const holds = (name) => job.record.includes(`"${name}":${JSON.stringify(told[name] ?? null)}`);
    const isSame =
      holds("dispatcher_notes") &&
      holds("driver_notes") &&
      (told.truck_id ?? null) === job.truck_id &&
      Boolean(told.is_completed) === Boolean(job.is_completed);
    if (!isSame) wrongs.push(`job ${job.id}: is not what its audit says: ${JSON.stringify(told)}`);
  }
  for (const id of byRecord.keys()) wrongs.push(`job ${id}: not there, but its audit is`);
  return wrongs;
}

/** No change of a customer overwrote one that its client had not read. */
function compareCustomers(audit, customers) {
  const names = new Map(customers.map(({ id, name }) => [id, name]));
  const byRecord = groupBy(
    audit.filter(({ record_type }) => record_type === "Customer"),
    ({ record_id }) => record_id,
  );
  const wrongs = [];
  for (const [id, rows] of byRecord) {
    for (const [index, { after }] of rows.entries()) {
      const then = rows[index + 1]?.before.name ?? names.get(id);
      if (after.name !== then) wrongs.push(`customer ${id}: was named ${after.name}, then it is ${then}`);
    }
  }
  return wrongs;
}

/** Map.groupBy, which Node.js 20 lacks. */
function groupBy(list, toKey) {
  const groups = new Map();
  for (const item of list) {
    const key = toKey(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
