// These functions return what is wrong after a kill, one line for each problem.

/** Checks that each truck exists once, with one audit entry and one event, and that no other truck exists. */
export function judgeTrucks(counted, count) {
  const isSame = [counted.names, counted.audit, counted.events].every((number) => number === counted.trucks);
  const isWhole = count === undefined || counted.trucks === count;
  return isSame && isWhole
    ? []
    : [`of ${count ?? "any number of"} trucks there are ${JSON.stringify(counted)}`];
}

/** Checks that acknowledged writes are stored. */
export function judgeAcknowledged(acknowledged, rows) {
  const stored = new Set(rows.map(({ id }) => id));
  const lost = acknowledged.filter((id) => !stored.has(id));
  return lost.length > 0 ? [`acknowledged and not there: ${lost.join(", ")}`] : [];
}

/** Checks that a copy has the same number of records as its source. */
export function judgeCopy(wanted, found) {
  const [a, b] = [wanted, found].map((row) => JSON.stringify(row));
  return a === b ? [] : [`the copy holds ${b}, its source ${a}`];
}

/** Checks that only the target has the active tenant, whole and not frozen. */
export function judgeMove({ here, there, wanted, found }) {
  const isOne = !here.is_active && Boolean(there?.is_active);
  return [
    ...(isOne ? [] : [`the moved tenant is active ${here.is_active ? "here" : "nowhere"}`]),
    ...(here.frozen_reason === null && !there?.frozen_reason ? [] : ["the moved tenant is frozen"]),
    ...(wanted.join() === found.join() ? [] : [`the moved tenant has ${found}, its source ${wanted}`]),
  ];
}

/** Checks that the killed command or the next one created the store, but not both: that would make two tenants. */
export function judgeInit(killed, again, tenants) {
  const isMade = again.code === 0 || /already/.test(again.stderr);
  return [
    ...(isMade ? [] : [`init exits with ${killed.code}, then with ${again.code}: ${again.stderr.trim()}`]),
    ...(tenants === 1 ? [] : [`init made ${tenants} tenants`]),
  ];
}

export function judgeIntegrity(said) {
  return said === "ok" ? [] : [`the file is damaged: ${said}`];
}

/** Checks that all secrets are encrypted with the store's key. */
export function judgeForms({ key, plain, encrypted }, count) {
  const isDone = plain === 0 && encrypted[key] === count && Object.keys(encrypted).length === 1;
  return isDone ? [] : [`of ${count} secrets ${plain} are plain and ${JSON.stringify(encrypted)} encrypted`];
}

/** Returns secrets that differ from the original ones. `shown` has them by webhook id. */
export function judgeSecrets(hooks, shown) {
  return hooks
    .filter(({ id, secret }) => shown.get(id) !== secret)
    .map(({ id }) => `the secret of webhook ${id} is ${shown.get(id) ? "another" : "lost"}`);
}

/** Returns secrets in plain text in the bytes of a store's files. */
export function judgePlainText(hooks, files) {
  return hooks
    .filter(({ secret }) => files.some((bytes) => bytes.includes(secret)))
    .map(({ id }) => `the secret of webhook ${id} is plain text in the file`);
}
