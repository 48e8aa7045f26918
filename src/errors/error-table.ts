interface ErrorKind {
  /** HTTP status; null for errors that only the command line meets. */
  status: number | null;
  exitCode: number;
  /** What failed, in a few words; the same for every occurrence. */
  title: string;
  /** What the rule is and why; printed by `explain`. */
  explanation: string;
  /** What to do about it. */
  fix: string;
}

/** Exit codes of the program (docs/command-line.md), by meaning. */
export const exitCodes = {
  done: 0,
  unexpected: 1,
  invalid: 2,
  unauthenticated: 3,
  forbidden: 4,
  notFound: 5,
  conflict: 6,
  limited: 7,
  unreachable: 8,
  answerIsNo: 9,
  interrupted: 130,
} as const;

/** The exit code that an HTTP status stands for. */
export function toExitCode(status: number): number {
  if (status === 401) return exitCodes.unauthenticated;
  if (status === 403) return exitCodes.forbidden;
  if (status === 404 || status === 405) return exitCodes.notFound;
  if (status === 409 || status === 412) return exitCodes.conflict;
  if (status === 429) return exitCodes.limited;
  if (status >= 500) return exitCodes.unreachable;
  return exitCodes.invalid;
}

const invalid = (title: string, explanation: string, fix: string): ErrorKind =>
  kind(400, title, explanation, fix);

function kind(status: number, title: string, explanation: string, fix: string): ErrorKind {
  return { status, exitCode: toExitCode(status), title, explanation, fix };
}

function local(exitCode: number, title: string, explanation: string, fix: string): ErrorKind {
  return { status: null, exitCode, title, explanation, fix };
}

/**
 * Every error there is: status, exit code, text and hint come from here and from nowhere else.
 * The codes are a promise; add rows, rename none.
 */
export const errorTable = {
  // A field's value
  missing_value: invalid(
    "A required value is missing",
    "The field is required; null counts as missing.",
    "Give the field a value.",
  ),
  unknown_field: invalid(
    "A field is not accepted",
    "The request model does not list this field, or lists it for answers only.",
    "Leave the field out, or correct its name.",
  ),
  wrong_type: invalid(
    "A value has the wrong type",
    "Types are strict: a number is not taken for text, nor text for a number. Only a Boolean may be written as true, false, 0, 1 or those words as text.",
    "Send the value in the type that the model names.",
  ),
  too_short: invalid(
    "A text is too short",
    "Lengths are counted in Unicode code points.",
    "Send a longer text.",
  ),
  too_long: invalid(
    "A text is too long",
    "Lengths are counted in Unicode code points; nothing is cut to fit.",
    "Shorten the text.",
  ),
  too_small: invalid(
    "A number is too small",
    "The bounds are part of the field's definition and are inclusive.",
    "Send a value within the bounds.",
  ),
  too_big: invalid(
    "A number is too big",
    "The bounds are part of the field's definition and are inclusive.",
    "Send a value within the bounds.",
  ),
  too_few: invalid(
    "A list has too few entries",
    "The model says how many entries the list needs.",
    "Add entries.",
  ),
  too_many: invalid(
    "A list has too many entries",
    "The model says how many entries the list may have.",
    "Remove entries.",
  ),
  repeated_value: invalid(
    "A list repeats a value",
    "Each value may stand in this list once.",
    "Remove the repetition.",
  ),
  invalid_text: invalid(
    "A text holds characters that cannot be stored",
    "NUL characters and halves of surrogate pairs are not text.",
    "Remove these characters.",
  ),
  invalid_date: invalid(
    "A date cannot be read",
    "Dates are ISO 8601: calendar, week or ordinal, with or without a time, years 0001 to 9999; without a zone they are UTC.",
    "Write the date like 2026-11-21 or 2026-11-21T08:30:00Z.",
  ),
  not_past: invalid(
    "A date lies in the future",
    "The field records something that has happened; it cannot be later than now.",
    "Send a date that is not later than now.",
  ),
  not_future: invalid(
    "A date lies in the past",
    "The field plans something; it must be later than now.",
    "Send a date later than now.",
  ),
  invalid_choice: invalid(
    "A value is not one of the choices",
    "The field takes only the values that its model lists.",
    "Send one of the listed values.",
  ),
  invalid_format: invalid(
    "A value has the wrong form",
    "The field's text has a form of its own, such as a country code, a UUID or a list of ids.",
    "Correct the value as the detail says.",
  ),
  not_for_type: invalid(
    "A field does not go with the job's type",
    "asset_dropped_id may be set only when the type is D (drop-off) or E (exchange).",
    "Leave the field out, or change the type.",
  ),
  unknown_reference: invalid(
    "A field points to a record that is not there",
    "An id in a body must belong to a record of the same tenant that the caller can see, and that was not removed, deleted or deactivated. What names such a record already keeps it.",
    "Use the id of an existing record; where one helps, the error names what lists them.",
  ),
  // The request around the fields
  unknown_parameter: invalid(
    "A query parameter is not accepted",
    "The operation does not list this parameter; it would have been ignored silently.",
    "Remove the parameter, or correct its name.",
  ),
  repeated_parameter: invalid(
    "A query parameter is given twice",
    "It would be unclear which value counts.",
    "Give the parameter once.",
  ),
  missing_header: invalid(
    "A required header is missing",
    "The header is needed to answer the request.",
    "Send the header.",
  ),
  invalid_header: invalid(
    "A header has an invalid value",
    "The header's value has a form of its own.",
    "Correct the header as the detail says.",
  ),
  more_violations: invalid(
    "More is wrong than an error lists",
    "An error lists its first 100 violations, and after them how many more there are.",
    "Correct what is listed, then send the request again.",
  ),
  malformed_json: invalid(
    "The body is not valid JSON",
    "A body is one JSON object in UTF-8, without duplicate keys, not nested deeper than 32, of at most 10,000 objects, lists and fields.",
    "Correct the JSON; the detail says where it breaks.",
  ),
  missing_body: invalid(
    "The request has no body",
    "The operation needs a JSON object as its body.",
    "Send a body.",
  ),
  unexpected_body: invalid(
    "The request has a body",
    "The operation takes none at this version.",
    "Send the request without a body.",
  ),
  malformed_url: invalid(
    "The address of the request cannot be read",
    "Percent signs in a path or query must begin an escape of UTF-8 text.",
    "Encode the address correctly.",
  ),
  unauthenticated: kind(
    401,
    "The access token is not accepted",
    "Every operation needs the header authorization with a bearer token that is known, not expired and not revoked.",
    "Send `authorization: Bearer <token>`; an administrator makes one with `dispatch-cli tokens create`.",
  ),
  role_not_allowed: kind(
    403,
    "The caller's roles do not allow this",
    "Each operation lists the roles that may call it; Admin is not a superset of the others.",
    "Use another token (on a store --as another user), or ask an administrator for a role that the detail names.",
  ),
  tenant_not_accessible: kind(
    403,
    "The tenant is not accessible",
    "The token's user has no access to the tenant that x-tenant-id names, or there is none.",
    "List the tenants you can reach with `dispatch-cli tenants list`.",
  ),
  token_exceeds_maker: kind(
    403,
    "The token would reach further than the one that asks for it",
    "A token made or replaced with another has no role that this one lacks, and ends no later: a short-lived token must not make a lasting one.",
    "Ask for less, or use a token with more roles; on the store `dispatch-cli tokens create` is bound by no token.",
  ),
  signup_disabled: kind(
    403,
    "Signing up is not open here",
    "A server takes sign-ups of haulers only when its operator lets it: they come from anybody, without a token.",
    "Ask the server's operator: `dispatch-cli haulers create` on the store, or `serve --allow-hauler-signup`.",
  ),
  record_not_found: kind(
    404,
    "There is no such record",
    "The record does not exist, or the caller may not see it; the two are answered alike.",
    "Check the id, and the location that the record belongs to.",
  ),
  operation_not_found: kind(
    404,
    "There is no such operation",
    "No operation has this path.",
    "See `dispatch-cli openapi` for every path.",
  ),
  operation_ended: kind(
    404,
    "The operation is not available at this version",
    "An operation can end with an API version; later versions answer as if it were not there.",
    "Call it at the version that the detail names.",
  ),
  not_in_batch: invalid(
    "An operation cannot be part of a batch",
    "A batch is one transaction. What only reads, answers with a file, calls somebody else's server, takes a thread or changes very many records is none of its operations, nor is another batch.",
    "Call the operation by itself, before or after the batch.",
  ),
  method_not_allowed: kind(
    405,
    "The path does not take this method",
    "The path exists, with the methods that the Allow header lists.",
    "Use one of the methods of the Allow header.",
  ),
  not_acceptable: kind(
    406,
    "The answer's media type is not accepted by the caller",
    "The Accept header admits none of the media types that the operation answers with.",
    "Leave Accept out, or add application/json (for the job list application/pdf).",
  ),
  duplicate_record: kind(
    409,
    "Such a record exists already",
    "A second record of the same identity would split the history of the first.",
    "Use the existing record, which the detail names.",
  ),
  state_conflict: kind(
    409,
    "The record's state does not allow this",
    "What may follow what is part of the service's rules.",
    "See the detail for the state that stands in the way.",
  ),
  limit_reached: kind(
    409,
    "A limit of the tenant is reached",
    "A tenant may have so many active webhooks; each of them costs at every change. Deactivated ones do not count.",
    "Deactivate what is not needed any more, or have the server's operator raise the limit (`serve --hooks-per-tenant`).",
  ),
  idempotency_key_in_use: kind(
    409,
    "The first request with this key is still being worked on",
    "A request that is repeated with its Idempotency-Key is carried out once; until the first is answered there is nothing to answer the others with.",
    "Send it again after the time that Retry-After names.",
  ),
  answer_not_kept: kind(
    409,
    "The request was carried out already, and its answer is not kept",
    "Answers are kept for 24 h to be given again to who repeats a request with its Idempotency-Key; those that show a secret or are longer than 1 MiB are not, and none is given again to a caller who does not see its record any more. Nothing was done a second time.",
    "Read the record. A token or a webhook secret that nobody has seen is replaced with `tokens rotate` or `hooks rotate-secret`.",
  ),
  precondition_failed: kind(
    412,
    "The record is not what it was",
    "If-Match names the entity tag of the record that the change was made for; somebody has changed the record since.",
    "Read the record again, see what is different, and send the change with the new entity tag (If-Match, --if-match).",
  ),
  idempotency_key_reused: kind(
    422,
    "The key belongs to another request",
    "An Idempotency-Key names one request of one user for 24 h: the same method, path, query, version and body, sent with the same roles.",
    "Take a new key for every request, such as a random UUID, and the same one only to repeat it.",
  ),
  body_too_large: kind(
    413,
    "The body is too large",
    "A body has at most 1 MiB.",
    "Send less in one request.",
  ),
  unsupported_media_type: kind(
    415,
    "The body's media type is not supported",
    "A body must be application/json in UTF-8.",
    "Send `content-type: application/json`.",
  ),
  too_many_failed_logins: kind(
    429,
    "Too many logins from this address failed",
    "An address has 10 failed logins and sign-ups a minute, so that nobody can guess tokens or passwords. A token that is good is never refused for it.",
    "Correct the token, and try again after as many seconds as the header Retry-After says.",
  ),
  rate_limited: kind(
    429,
    "The token has no requests left for now",
    "A server may bound the requests of each token: so many a second, and so many at once after a pause. Nothing was done. The headers RateLimit and RateLimit-Policy of every answer say what is left.",
    "Try again after as many seconds as the header Retry-After says, send less at once, or have the server's operator raise the limit (`serve --rate-limit`).",
  ),
  header_too_large: kind(
    431,
    "The headers are too large",
    "All headers together have at most 16 KiB.",
    "Send fewer or shorter headers.",
  ),
  expectation_failed: kind(
    417,
    "The server does not meet what the request expects",
    "The only expectation of a request that HTTP defines is 100-continue.",
    "Leave the header Expect out.",
  ),
  malformed_request: invalid(
    "The request is not valid HTTP",
    "The bytes do not form an HTTP/1.1 request.",
    "Use an HTTP client.",
  ),
  request_timeout: kind(
    408,
    "The request did not arrive in time",
    "A request must arrive within 30 s.",
    "Send it again.",
  ),
  internal: {
    ...kind(
      500,
      "Something went wrong inside",
      "The fault is the program's, not the caller's. Details are in its log under the request id.",
      "Try again; if it happens again, report it with the request id.",
    ),
    exitCode: exitCodes.unexpected,
  },
  store_unavailable: kind(
    503,
    "The store cannot be used now",
    "The database is busy, locked, full, read-only or not there, or its file was deleted or replaced while a server used it.",
    "Try again in a moment; `dispatch-cli whoami` shows which store is used, `dispatch-cli doctor` what is wrong with it.",
  ),
  store_unreadable: kind(
    500,
    "The store cannot be opened or read",
    "The file or database is no store, is damaged, refuses the program, or was written by a newer one.",
    "See the detail. Name another store with --data; a damaged one is replaced by `dispatch-cli restore`.",
  ),
  sqlite_driver_missing: local(
    exitCodes.unreachable,
    "There is no SQLite to open the store with",
    "Stores in a file and all backups, those of PostgreSQL too, are SQLite files. The package better-sqlite3 opens them, which is compiled for one kind of machine and one version of Node, or the SQLite that Node 22.16 and later bring. Other commands need neither with PostgreSQL or a server (--url).",
    "Run the command that the error names: it installs or compiles better-sqlite3 where dispatch-cli finds it. Or use Node 22.16 or later.",
  ),
  secret_key_missing: kind(
    503,
    "The key of the webhooks' secrets is missing",
    "The store keeps the secrets of webhooks encrypted, and this process was not given the key: nothing can be signed, and no secret be shown or set. All else works; deliveries wait for a process with the key.",
    "Start the program with the key: DISPATCH_SECRET_KEY, or --secret-key-file; `dispatch-cli secrets status` names it.",
  ),
  overloaded: kind(
    503,
    "The server has too much to do",
    "What is asked for waits its turn, with a bound for each tenant and one in all; either too much waits already, or its turn did not come in time. Nothing was stored.",
    "Try again after as many seconds as the header Retry-After says.",
  ),
  shutting_down: kind(
    503,
    "The server is shutting down",
    "It finishes what runs and takes nothing new.",
    "Try again in a moment.",
  ),
  // Met by the command line only
  usage: local(
    exitCodes.invalid,
    "The command cannot be understood",
    "A command is `dispatch-cli <noun> <verb> [id] [options]`.",
    "Correct it as the line above says; --help shows what the command takes.",
  ),
  configuration_faulty: local(
    exitCodes.invalid,
    "The configuration cannot be used",
    "What a server is told comes from its options, variables called DISPATCH_… and the file of --config.",
    "Correct it as the lines above say; `dispatch-cli serve --print-config` checks it without serving.",
  ),
  malformed_file: local(
    exitCodes.invalid,
    "The file cannot be read",
    "A file to import is CSV with a header, one JSON object a line (.ndjson), or a JSON list of objects; text in UTF-8.",
    "Correct the file as the line above says; nothing was changed.",
  ),
  name_not_found: local(
    exitCodes.notFound,
    "Nothing is called that",
    "A record may be named by what people call it, or by a number of it. No record that the caller may see has this one.",
    "Take one of the nearest, or look with the list of its kind.",
  ),
  name_ambiguous: local(
    exitCodes.invalid,
    "Several records are called that",
    "A name is taken when it means one record; among several nobody but you can choose.",
    "Say more of the name, or give the id.",
  ),
  no_token: local(
    exitCodes.unauthenticated,
    "There is no usable token",
    "A server answers only callers with an access token.",
    "Set DISPATCH_TOKEN, or name a file that holds the token with --token-file.",
  ),
  store_not_found: local(
    exitCodes.notFound,
    "There is no store",
    "Local commands work on a store: a file, or a PostgreSQL database, made by `init` or `demo`.",
    "Make one with `dispatch-cli init` or `dispatch-cli demo`, or name another with --data or --url.",
  ),
  store_exists: local(
    exitCodes.conflict,
    "The store exists already",
    "`init` and `demo` never touch an existing store.",
    "Name another place with --data, or use the existing store.",
  ),
  secret_key_wrong: local(
    exitCodes.invalid,
    "The key is not the store's",
    "The store keeps the secrets of webhooks encrypted with another key than the one that was given. Nothing was changed.",
    "Give the key that the line above names, in DISPATCH_SECRET_KEY or by --secret-key-file, or leave both out.",
  ),
  store_in_use: local(
    exitCodes.conflict,
    "The store is in use",
    "A store's file cannot be replaced while a server or another program has it open.",
    "Stop the servers and commands that work on it, then repeat the command.",
  ),
  backup_unusable: local(
    exitCodes.invalid,
    "The backup cannot be used",
    "A backup is restored only when it is whole: a file made by `dispatch-cli backup`, of this version or an older one, whose content agrees with its checksum.",
    "Use another backup; nothing was changed.",
  ),
  backup_locked: local(
    exitCodes.invalid,
    "The backup is encrypted",
    "An encrypted backup is opened with the key of a recipient that it was made for, or with its passphrase.",
    "Name what opens it: --identity-file <file> or --passphrase-file <file>. Nothing was changed.",
  ),
  file_not_written: local(
    exitCodes.unexpected,
    "A file cannot be written",
    "The disk is full or read-only, or the system does not allow it. What was begun is removed.",
    "Make room, or name a place that can be written to.",
  ),
  target_unreachable: local(
    exitCodes.unreachable,
    "The server cannot be reached",
    "No usable answer came from the address given with --url.",
    "Check the address, and that the server runs.",
  ),
  answer_too_large: local(
    exitCodes.unreachable,
    "The server's answer is too large",
    "An answer is read up to 64 MiB, the text of an error up to 1 MiB, an event of a stream up to 16 MiB; those of the interface are smaller.",
    "Ask for less at once (--page-limit, filters), and check that the address is that of a dispatch service.",
  ),
  result_limited: local(
    exitCodes.limited,
    "The list is longer than what the target shows",
    "Lists show 100,000 records at most; only some can be walked beyond them.",
    "Narrow the list with filters, and take it in parts.",
  ),
  confirmation_needed: local(
    exitCodes.invalid,
    "The command needs a yes",
    "It is severe, and there is no terminal to ask on.",
    "Repeat the command with --yes.",
  ),
  declined: local(
    exitCodes.answerIsNo,
    "The command was called off",
    "A severe command goes on only after a yes.",
    "Repeat it and answer yes when you are sure.",
  ),
  ping_failed: local(
    exitCodes.answerIsNo,
    "The webhook did not answer with success",
    "A ping is well when the callback answers with a status from 200 to 299.",
    "Mend what the line above says: start the receiver, name another with `dispatch-cli hooks update <id> --callback-url <url>`, or allow private addresses with `dispatch-cli store policy --private-hooks allow`.",
  ),
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorTable;

/** Looks a code up; a newer server may send one that this table does not have. */
export function errorKind(code: ErrorCode): ErrorKind {
  return Object.hasOwn(errorTable, code) ? errorTable[code] : errorTable.internal;
}
