import { nearestWord } from "../errors/nearest.ts";

/** A synonym, else the nearest spelling; null for none. */
export function nearCommand(word: string, known: readonly string[]): string | null {
  return meantBy(commandWords, word, known) ?? nearestWord(word, known);
}

export function nearOption(word: string, known: readonly string[]): string | null {
  return meantBy(optionWords, word, known) ?? nearestWord(word, known);
}

/** Without a field `address`, the word `address` means line_1. */
export function nearField(word: string, known: readonly string[]): string | null {
  return meantBy(fieldWords, word.toLowerCase().replaceAll(/[\s-]/g, "_"), known) ?? nearestWord(word, known);
}

type Words = Readonly<Record<string, string>>;

function meantBy(words: Words, word: string, known: readonly string[]): string | null {
  const meant = Object.entries(words).filter(([, others]) => others.split(" ").includes(word));
  return meant.find(([own]) => known.includes(own))?.[0] ?? null;
}

/** Command → synonyms. The first known one wins. */
const commandWords: Words = {
  get: "show view info display describe read open details",
  show: "get view info display list",
  list: "ls all index show view find search",
  delete: "cancel remove rm del destroy drop trash",
  remove: "delete cancel rm del destroy drop",
  revoke: "delete cancel remove rm",
  create: "add new make insert register",
  add: "create new make insert attach",
  update: "edit set change modify patch rename reschedule",
  edit: "update set change modify",
  complete: "done finish close completed",
  assign: "give schedule put",
  unassign: "take unschedule free",
  restore: "undelete recover",
  customers: "client clients account accounts",
  jobs: "order orders work tickets",
  trucks: "vehicle vehicles",
  users: "people staff accounts",
  hooks: "webhook webhooks",
  day: "board today schedule calendar",
  find: "search lookup grep query",
  profiles: "login config configure settings connect",
  whoami: "status me who",
  serve: "start server run up",
  init: "setup install new",
  off: "sick absent away vacation",
  undo: "revert rollback back",
};

const optionWords: Words = {
  "--output": "--format --json --csv --yaml --table",
  "--page-limit": "--limit --count --max -n",
  "--page-index": "--page",
  "--out": "--file --to --save",
  "--yes": "--force -y -f --confirm --assume-yes",
  "--data": "--db --database --store --sqlite --file",
  "--url": "--server --host --remote --endpoint",
  "--token-file": "--token --password --secret",
  "--as": "--user --username",
  "--no-input": "--non-interactive --batch --quiet",
  "--schedule-date": "--date --day --on --when",
  "--from": "--since --after --date --day --month --today",
  "--to": "--until --before",
  "--open": "--state --status --pending --todo",
  "--truck": "--vehicle",
  "--customer": "--client --account",
  "--name": "--filter --search --query",
  "--fields": "--columns --select",
  "--dry-run": "--plan --check --simulate",
  "--plan": "--dry-run",
};

const fieldWords: Words = {
  line_1: "address street street_address address_1",
  "address.line_1": "address street",
  line_2: "address_2 unit suite",
  locality: "city town",
  region: "state province",
  postcode: "zip zipcode zip_code postal_code",
  number: "phone telephone tel phone_number",
  phone: "number telephone tel phone_number",
  reference_number: "reference ref acct account po order_number",
  schedule_date: "date day when scheduled",
  when: "date day scheduled",
  requested_by: "customer_id customer client",
  "customer.name": "customer client customer_name",
  truck_id: "truck vehicle",
  state: "status",
  dispatcher_notes: "notes note comment comments",
  driver_notes: "notes note comment comments",
  notes: "note comment comments",
};
