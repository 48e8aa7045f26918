import { judgeAcknowledged, judgeIntegrity } from "../kills/judge.js";

/**
 * What is wrong with how a server took a full disk: `told` are its writes (status, id), `ready` and `list` statuses while
 * the disk was full, `after` those of a write and of /readyz with room again.
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
    ...(after.join() === "200,200" ? [] : [`with room again a write and /readyz are ${after.join(" and ")}`]),
  ];
}

/** What was acknowledged is stored, what was refused is not, and the file is whole. */
export function judgeStored(told, rows, integrity) {
  const made = told.flatMap(({ id }) => (id === null ? [] : [id]));
  const unasked = rows.map(({ id }) => id).filter((id) => !made.includes(id));
  return [
    ...judgeAcknowledged(made, rows),
    ...(unasked.length > 0 ? [`refused and there: ${unasked.join(", ")}`] : []),
    ...judgeIntegrity(integrity),
  ];
}

/** Of answers to known and unknown paths in turn, and of the process that gave them, what is wrong: three lines at most. */
export function judgeAnswers(answers, exitCode) {
  const wrongs = answers.flatMap(({ status, problem }, index) =>
    status === (index % 2 === 0 ? 200 : 404) ? [] : [`request ${index}: ${status ?? problem}`],
  );
  if (exitCode !== null) wrongs.push(`the server ended with ${exitCode}`);
  return wrongs.slice(0, 3);
}

/** A backup for which there is no room says so, and leaves nothing of it. */
export function judgeRefusedBackup({ code, stderr }, left) {
  return [
    ...(code === 1 && /disk is full|has too little room/.test(stderr)
      ? []
      : [`backup exits with ${code}: ${stderr.trim()}`]),
    ...(left.length === 0 ? [] : [`backup leaves ${left.join(", ")}`]),
  ];
}
