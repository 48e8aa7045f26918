// What is wrong with what a kill left behind, a line for each thing.

/** Each truck is there once, with one audit row and one event; none is there that nobody made. */
export function judgeTrucks(counted, count) {
  const isSame = [counted.names, counted.audit, counted.events].every((number) => number === counted.trucks);
  const isWhole = count === undefined || counted.trucks === count;
  return isSame && isWhole
    ? []
    : [`of ${count ?? "any number of"} trucks there are ${JSON.stringify(counted)}`];
}

/** What was acknowledged is there. */
export function judgeAcknowledged(acknowledged, rows) {
  const stored = new Set(rows.map(({ id }) => id));
  const lost = acknowledged.filter((id) => !stored.has(id));
  return lost.length > 0 ? [`acknowledged and not there: ${lost.join(", ")}`] : [];
}

/** The records of a copy are as many as those of its source. */
export function judgeCopy(wanted, found) {
  const [a, b] = [wanted, found].map((row) => JSON.stringify(row));
  return a === b ? [] : [`the copy holds ${b}, its source ${a}`];
}

/** A store is made by the command that was killed or by the one after it; made twice there would be two tenants. */
export function judgeInit(killed, again, tenants) {
  const isMade = again.code === 0 || /already/.test(again.stderr);
  return [
    ...(isMade ? [] : [`init exits with ${killed.code}, then with ${again.code}: ${again.stderr.trim()}`]),
    ...(tenants === 1 ? [] : [`init made ${tenants} tenants`]),
  ];
}

/** No page of a file is damaged. */
export function judgeIntegrity(said) {
  return said === "ok" ? [] : [`the file is damaged: ${said}`];
}

/** All secrets are encrypted with the store's key. */
export function judgeForms({ key, plain, encrypted }, count) {
  const isDone = plain === 0 && encrypted[key] === count && Object.keys(encrypted).length === 1;
  return isDone ? [] : [`of ${count} secrets ${plain} are plain and ${JSON.stringify(encrypted)} encrypted`];
}

/** Secrets that are not shown as they were; `shown` is by the ids of webhooks. */
export function judgeSecrets(hooks, shown) {
  return hooks
    .filter(({ id, secret }) => shown.get(id) !== secret)
    .map(({ id }) => `the secret of webhook ${id} is ${shown.get(id) ? "another" : "lost"}`);
}

/** Secrets that stand as plain text in the bytes of a store's files. */
export function judgePlainText(hooks, files) {
  return hooks
    .filter(({ secret }) => files.some((bytes) => bytes.includes(secret)))
    .map(({ id }) => `the secret of webhook ${id} stands in the file as plain text`);
}
