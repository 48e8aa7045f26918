// What is wrong after a kill, one line for each problem.

/** Each truck exists once, with one audit entry and one event; no other truck exists. */
export function judgeTrucks(counted, count) {
  const isSame = [counted.names, counted.audit, counted.events].every((number) => number === counted.trucks);
  const isWhole = count === undefined || counted.trucks === count;
  return isSame && isWhole
    ? []
    : [`of ${count ?? "any number of"} trucks there are ${JSON.stringify(counted)}`];
}

/** Acknowledged writes are stored. */
export function judgeAcknowledged(acknowledged, rows) {
  const stored = new Set(rows.map(({ id }) => id));
  const lost = acknowledged.filter((id) => !stored.has(id));
  return lost.length > 0 ? [`acknowledged and not there: ${lost.join(", ")}`] : [];
}

/** A copy has the same number of records as its source. */
export function judgeCopy(wanted, found) {
  const [a, b] = [wanted, found].map((row) => JSON.stringify(row));
  return a === b ? [] : [`the copy holds ${b}, its source ${a}`];
}

/** The killed command or the next one creates the store; created twice it would have two tenants. */
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

/** All secrets are encrypted with the store's key. */
export function judgeForms({ key, plain, encrypted }, count) {
  const isDone = plain === 0 && encrypted[key] === count && Object.keys(encrypted).length === 1;
  return isDone ? [] : [`of ${count} secrets ${plain} are plain and ${JSON.stringify(encrypted)} encrypted`];
}

/** Secrets that differ from the original ones; `shown` has them by webhook id. */
export function judgeSecrets(hooks, shown) {
  return hooks
    .filter(({ id, secret }) => shown.get(id) !== secret)
    .map(({ id }) => `the secret of webhook ${id} is ${shown.get(id) ? "another" : "lost"}`);
}

/** Secrets in plain text in the bytes of a store's files. */
export function judgePlainText(hooks, files) {
  return hooks
    .filter(({ secret }) => files.some((bytes) => bytes.includes(secret)))
    .map(({ id }) => `the secret of webhook ${id} is plain text in the file`);
}
