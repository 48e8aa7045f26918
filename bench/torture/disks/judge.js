import { judgeAcknowledged, judgeIntegrity } from "../kills/judge.js";

/**
 * Returns what is wrong with a server's behavior on a full disk: `told` are its writes (status, id), `ready` and
 * `list` are statuses during that time, `after` are statuses of a write and of /readyz once space is free again.
 */
export function judgeFullDisk({ told, ready, list, after }) {
  const statuses = [...new Set(told.map(({ status }) => status))];
  return [
    ...(statuses.some((status) => status !== 200) ? [] : ["the disk was never full"]),
    ...statuses
      .filter((status) => ![200, 503].includes(status))
      .map((status) => `a write was answered ${status}`),
    ...(ready === 503 ? [] : [`/readyz is ${ready} on a full disk`]),
    ...(list === 200 ? [] : [`a list is ${list} on a full disk`]),
    ...(after.join() === "200,200" ? [] : [`with free space a write and /readyz are ${after.join(" and ")}`]),
  ];
}

/** Checks that acknowledged writes are stored, refused ones are not, and the file is intact. */
export function judgeStored(told, rows, integrity) {
  const made = told.flatMap(({ id }) => (id === null ? [] : [id]));
  const unasked = rows.map(({ id }) => id).filter((id) => !made.includes(id));
  return [
    ...judgeAcknowledged(made, rows),
    ...(unasked.length > 0 ? [`refused and there: ${unasked.join(", ")}`] : []),
    ...judgeIntegrity(integrity),
  ];
}

/** Returns at most three problems with the answers to known and unknown paths, and with the server's exit. */
export function judgeAnswers(answers, exitCode) {
  const wrongs = answers.flatMap(({ status, problem }, index) =>
    status === (index % 2 === 0 ? 200 : 404) ? [] : [`request ${index}: ${status ?? problem}`],
  );
  if (exitCode !== null) wrongs.push(`the server ended with ${exitCode}`);
  return wrongs.slice(0, 3);
}

/** Checks that a backup without space reports it and leaves no file. */
export function judgeRefusedBackup({ code, stderr }, left) {
  return [
    ...(code === 1 && /disk is full|has too little room/.test(stderr)
      ? []
      : [`backup exits with ${code}: ${stderr.trim()}`]),
    ...(left.length === 0 ? [] : [`backup leaves ${left.join(", ")}`]),
  ];
}
