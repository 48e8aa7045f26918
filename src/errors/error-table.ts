interface ErrorKind {
  /** null for errors that only the command line has. */
  status: number | null;
  exitCode: number;
  /** The same for every occurrence. */
  title: string;
  /** The rule and its reason; `explain` prints it. */
  explanation: string;
  fix: string;
}

/** Documented in docs/command-line.md. */
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

/** The status, exit code, and text of every error. Programs depend on the codes: add rows, and rename none. */
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
    "Types are strict: a number is not a text, and a text is not a number. Only a Boolean accepts 0, 1, and the words as text.",
    "Send the value in the type that the model names.",
  ),
  too_short: invalid(
    "A text is too short",
    "Lengths are counted in Unicode code points.",
    "Send a longer text.",
  ),
  too_long: invalid(
    "A text is too long",
    "Lengths are counted in Unicode code points; the service shortens nothing.",
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
    "The model sets a minimum number of entries.",
    "Add entries.",
  ),
  too_many: invalid(
    "A list has too many entries",
    "The model sets a maximum number of entries.",
    "Remove entries.",
  ),
  repeated_value: invalid(
    "A list repeats a value",
    "Each value may appear once in this list.",
    "Remove the repetition.",
  ),
  invalid_text: invalid(
    "A text has characters that cannot be stored",
    "NUL characters and halves of surrogate pairs are not text.",
    "Remove these characters.",
  ),
  invalid_date: invalid(
    "A date cannot be read",
    "Dates are ISO 8601: calendar, week or ordinal, with or without a time, years 0001 to 9999; without a zone they are UTC.",
    "Write the date like 2026-11-21 or 2026-11-21T08:30:00Z.",
  ),
  not_past: invalid(
    "A date is in the future",
    "The field records what has happened, or the filter takes past times only.",
    "Send a date that is not later than now. The filter schedule_from takes later dates.",
  ),
  not_future: invalid(
    "A date is in the past",
    "The field plans an event, so it must be later than now.",
    "Send a date later than now.",
  ),
  invalid_choice: invalid(
    "A value is not one of the choices",
    "The field takes only the values that its model lists.",
    "Send one of the listed values.",
  ),
  invalid_format: invalid(
    "A value has the wrong format",
    "The field has its own format, such as a country code, a UUID, or a list of IDs.",
    "Correct the value as the detail says.",
  ),
  not_for_type: invalid(
    "A field does not apply to the job's type",
    "asset_dropped_id may be set only when the type is D (drop-off) or E (exchange).",
    "Leave the field out, or change the type.",
  ),
  unknown_reference: invalid(
    "A field refers to a record that does not exist",
    "An ID in a body must belong to an active record of the same tenant that the caller can see. A record that already refers to a removed record keeps the reference.",
    "Use the ID of an existing record. The error may name the command that lists them.",
  ),
  // The request around the fields
  unknown_parameter: invalid(
    "A query parameter is not accepted",
    "The operation does not have this parameter.",
    "Remove the parameter, or correct its name.",
  ),
  repeated_parameter: invalid(
    "A query parameter is repeated",
    "The service cannot know which value to use.",
    "Give the parameter once.",
  ),
  missing_header: invalid(
    "A required header is missing",
    "The operation needs the header.",
    "Send the header.",
  ),
  invalid_header: invalid(
    "A header has an invalid value",
    "The header has its own format.",
    "Correct the header as the detail says.",
  ),
  more_violations: invalid(
    "There are more violations than an error lists",
    "An error lists its first 100 violations and the number of the others.",
    "Correct the listed violations and send the request again.",
  ),
  malformed_json: invalid(
    "The body is not valid JSON",
    "A body is one JSON object in UTF-8 without duplicate keys, at most 32 levels deep, with at most 10,000 objects, lists, and fields.",
    "Correct the JSON; the detail says where it breaks.",
  ),
  missing_body: invalid(
    "The request has no body",
    "The operation needs a JSON object as its body.",
    "Send a body.",
  ),
  unexpected_body: invalid(
    "The request has a body",
    "The operation takes no body at this version.",
    "Send the request without a body.",
  ),
  malformed_url: invalid(
    "The address of the request cannot be read",
    "A percent sign in a path or query must start an escape of UTF-8.",
    "Encode the address correctly.",
  ),
  unauthenticated: kind(
    401,
    "The access token is not accepted",
    "Every operation needs the header authorization with a valid bearer token: known, not expired, and not revoked.",
    "Send `authorization: Bearer <token>`; an administrator creates one with `dispatch-cli tokens create`.",
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
    "The token's user has no access to the tenant in x-tenant-id, or the tenant does not exist.",
    "List the tenants you can reach with `dispatch-cli tenants list`.",
  ),
  token_exceeds_maker: kind(
    403,
    "The new token would have more access than the caller's token",
    "A token can create or replace only tokens that have no roles beyond its own and expire no later. Otherwise a short-lived token could create a lasting one.",
    "Ask for fewer roles or an earlier expiry, or use a token with more roles. On the store, `dispatch-cli tokens create` needs no token.",
  ),
  origin_not_allowed: kind(
    403,
    "Another site's page sent the request",
    "A browser names the site of the page in the header Origin. /mcp answers only pages of this server and clients that are not pages.",
    "Call /mcp from a program, which sends no Origin.",
  ),
  signup_disabled: kind(
    403,
    "The server does not accept sign-ups",
    "Anybody can sign up without a token, so a server accepts haulers only when its operator allows it.",
    "Ask the server's operator to run `dispatch-cli haulers create` on the store, or `serve --allow-hauler-signup`.",
  ),
  record_not_found: kind(
    404,
    "There is no such record",
    "The record does not exist, or the caller may not see it. The answer is the same in both cases.",
    "Check the ID and the location of the record.",
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
    "An operation can end with an API version; later versions do not have it.",
    "Call it at the version that the detail names.",
  ),
  not_in_batch: invalid(
    "An operation cannot be part of a batch",
    "A batch is one transaction. It cannot include reads, file downloads, calls to other servers, slow work such as printing, bulk changes, or another batch.",
    "Call the operation separately, before or after the batch.",
  ),
  method_not_allowed: kind(
    405,
    "The path does not support this method",
    "The path supports the methods in the Allow header.",
    "Use one of the methods of the Allow header.",
  ),
  not_acceptable: kind(
    406,
    "The caller does not accept the answer's media type",
    "The Accept header allows none of the operation's media types.",
    "Leave Accept out, or add application/json (for the job list application/pdf).",
  ),
  duplicate_record: kind(
    409,
    "The record already exists",
    "A second record for the same thing would split the history of the first.",
    "Use the existing record that the detail names.",
  ),
  state_conflict: kind(
    409,
    "The record's state does not allow this",
    "The service allows only certain changes in each state.",
    "See the current state in the detail.",
  ),
  limit_reached: kind(
    409,
    "A limit of the tenant is reached",
    "A tenant has a limit of active webhooks, because each one slows down every change. Deactivated webhooks do not count.",
    "Deactivate webhooks that you no longer need, or ask the server's operator to raise the limit (`serve --hooks-per-tenant`).",
  ),
  idempotency_key_in_use: kind(
    409,
    "The first request with this key is still running",
    "The service runs a repeated request once. It cannot answer a repetition before the first request ends.",
    "Send the request again after the seconds in Retry-After.",
  ),
  answer_not_kept: kind(
    409,
    "The request already ran, and its answer was not kept",
    "The service keeps answers for 24 h and returns them to a repetition with the same Idempotency-Key. It does not keep answers that contain a secret or exceed 1 MiB. It does not return an answer to a caller who can no longer see the record. The request did not run a second time.",
    "Read the record. Replace a lost token or webhook secret with `tokens rotate` or `hooks rotate-secret`.",
  ),
  precondition_failed: kind(
    412,
    "The record has changed",
    "If-Match names an older entity tag: another user or program has changed the record since.",
    "Read the record again, compare it, and send the change with the new entity tag (If-Match, --if-match).",
  ),
  idempotency_key_reused: kind(
    422,
    "The key belongs to another request",
    "An Idempotency-Key names one request of one user for 24 h: the same method, path, query, version and body, sent with the same roles.",
    "Use a new key for every request, such as a random UUID, and the same key only for a repetition.",
  ),
  body_too_large: kind(
    413,
    "The body is too large",
    "A body may have at most 1 MiB.",
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
    "Too many failed logins from this address",
    "An address may have 10 failed logins and sign-ups a minute. The limit stops programs that guess tokens; it never applies to a valid token.",
    "Correct the token, and try again after the seconds in Retry-After.",
  ),
  rate_limited: kind(
    429,
    "The token has reached its rate limit",
    "A server may limit the requests of each token, per second and in a burst. The request did not run. The headers RateLimit and RateLimit-Policy of every answer show the remaining requests.",
    "Try again after the seconds in Retry-After, send fewer requests at once, or ask the server's operator to raise the limit (`serve --rate-limit`).",
  ),
  header_too_large: kind(
    431,
    "The headers are too large",
    "All headers together have at most 16 KiB.",
    "Send fewer or shorter headers.",
  ),
  expectation_failed: kind(
    417,
    "The server does not support the header Expect",
    "HTTP defines only the expectation 100-continue.",
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
      "Internal error",
      "The caller did nothing wrong. The server's log has the details under the request ID.",
      "Try again. If it fails again, report it with the request ID.",
    ),
    exitCode: exitCodes.unexpected,
  },
  store_unavailable: kind(
    503,
    "The store cannot be used now",
    "The database is busy, locked, full, read-only, or missing. Or its file was deleted or replaced while a server used it.",
    "Try again in a moment; `dispatch-cli whoami` shows the store, and `dispatch-cli doctor` its problems.",
  ),
  store_unreadable: kind(
    500,
    "The store cannot be opened or read",
    "The file or database is not a store, is damaged, denies access, or belongs to a newer program.",
    "See the detail. Name another store with --data, or replace a damaged one with `dispatch-cli restore`.",
  ),
  sqlite_driver_missing: local(
    exitCodes.unreachable,
    "SQLite is missing",
    "Stores in a file and all backups are SQLite files. The program opens them with the package better-sqlite3, or with the SQLite of Node 22.16 and later. A package that was compiled for another machine or another Node does not work. PostgreSQL and servers (--url) need SQLite for backups only.",
    "Run the command that the error names: it installs or compiles better-sqlite3 where dispatch-cli finds it. Or use Node 22.16 or later.",
  ),
  secret_key_missing: kind(
    503,
    "The key of the webhooks' secrets is missing",
    "The store encrypts the secrets of webhooks, and this process does not have the key. It cannot sign deliveries, or show or set secrets. Everything else works, and deliveries wait for a process with the key.",
    "Start the program with the key: DISPATCH_SECRET_KEY, or --secret-key-file; `dispatch-cli secrets status` names it.",
  ),
  tenant_frozen: kind(
    503,
    "The tenant is frozen",
    "The operator keeps everybody from changing records of the tenant for a while, for example to move it. Reads work. The service stored nothing.",
    "Ask the operator, or end it on the store with `dispatch-cli tenants unfreeze`. A program tries again after the seconds in Retry-After.",
  ),
  tenant_moved: kind(
    410,
    "The tenant was moved to another server",
    "An operator moved the tenant with all its data. Its tokens, users, and ids are the same there.",
    "Send requests to the address in the detail: change DISPATCH_URL, --url, or the profile.",
  ),
  overloaded: kind(
    503,
    "The server is overloaded",
    "Requests wait in a queue, which has a limit for each tenant and a limit for all tenants. The queue was full, or the request waited too long. The service stored nothing.",
    "Try again after the seconds in Retry-After.",
  ),
  shutting_down: kind(
    503,
    "The server is shutting down",
    "It finishes running requests and accepts no new ones.",
    "Try again in a moment.",
  ),
  // Only in the command line
  usage: local(
    exitCodes.invalid,
    "The command cannot be understood",
    "Commands have the form `dispatch-cli <noun> <verb> [id] [options]`.",
    "Correct the command as the line above says; --help lists its options.",
  ),
  configuration_faulty: local(
    exitCodes.invalid,
    "The configuration cannot be used",
    "A server reads its options, the variables DISPATCH_…, and the file of --config.",
    "Correct it as the lines above say; `dispatch-cli serve --print-config` checks it.",
  ),
  malformed_file: local(
    exitCodes.invalid,
    "The file cannot be read",
    "A file to import is CSV with a header, NDJSON (one object per line), or a JSON list of objects. The text must be UTF-8.",
    "Correct the file as the line above says; nothing was changed.",
  ),
  name_not_found: local(
    exitCodes.notFound,
    "No match",
    "A command accepts a record's name or one of its numbers. No visible record has the given name or number.",
    "Use one of the closest names, or list the records.",
  ),
  name_ambiguous: local(
    exitCodes.invalid,
    "Several records match",
    "A command accepts a name that matches one record.",
    "Type more of the name, or use the ID.",
  ),
  no_token: local(
    exitCodes.unauthenticated,
    "No usable token",
    "A server answers only callers with an access token.",
    "Set DISPATCH_TOKEN, or name a file that holds the token with --token-file.",
  ),
  store_not_found: local(
    exitCodes.notFound,
    "There is no store",
    "Local commands work on a store: a file or a PostgreSQL database that `init` or `demo` created.",
    "Create one with `dispatch-cli init` or `dispatch-cli demo`, or name another with --data or --url.",
  ),
  store_exists: local(
    exitCodes.conflict,
    "The store already exists",
    "`init` and `demo` never touch an existing store.",
    "Name another place with --data, or use the existing store.",
  ),
  secret_key_wrong: local(
    exitCodes.invalid,
    "The key does not belong to this store",
    "The store encrypts the secrets of webhooks with another key. The command changed nothing.",
    "Use the key that the line above names in DISPATCH_SECRET_KEY or --secret-key-file, or leave both out.",
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
    "`restore` accepts only a complete backup with the right checksum, from this version of the program or an older one.",
    "Use another backup. The command changed nothing.",
  ),
  backup_locked: local(
    exitCodes.invalid,
    "The backup is encrypted",
    "A recipient's key or the passphrase opens an encrypted backup.",
    "Use --identity-file <file> or --passphrase-file <file>. The command changed nothing.",
  ),
  file_not_written: local(
    exitCodes.unexpected,
    "A file cannot be written",
    "The disk is full or read-only, or the system does not allow it. The command removed the incomplete file.",
    "Free some space, or name a writable place.",
  ),
  target_unreachable: local(
    exitCodes.unreachable,
    "The server cannot be reached",
    "The address of --url returned no usable answer.",
    "Check the address, and that the server runs.",
  ),
  timed_out: local(
    exitCodes.unreachable,
    "The server did not answer in time",
    "The client stops waiting after the timeout of an attempt, or at the deadline of the call. The server may still run the request.",
    "Repeat the request: with its Idempotency-Key a write runs once. Check the load of the server, or wait longer.",
  ),
  gateway_error: local(
    exitCodes.unreachable,
    "A proxy answered instead of the server",
    "A proxy or gateway before the server returned an error of its own, often because the server is down or restarts.",
    "Repeat the request later. If the error stays, check the proxy and the server.",
  ),
  redirected: local(
    exitCodes.unreachable,
    "The address redirects",
    "A redirect could take the token to another address, so the client follows none.",
    "Use the address at which the service itself answers, for example https instead of http.",
  ),
  not_a_service: local(
    exitCodes.unreachable,
    "The address is not a dispatch service",
    "The answer is a page or another text that a dispatch service never sends.",
    "Correct the address: its host, its port, and the path before /jobs.",
  ),
  answer_too_large: local(
    exitCodes.unreachable,
    "The server's answer is too large",
    "The client reads answers up to 64 MiB, errors up to 1 MiB, and events up to 16 MiB. A dispatch service sends less.",
    "Request less at once (--page-limit, filters), and check that the address is a dispatch service.",
  ),
  result_limited: local(
    exitCodes.limited,
    "The list is too long to show in full",
    "Most lists end after 100,000 records.",
    "Use filters to read the list in parts.",
  ),
  confirmation_needed: local(
    exitCodes.invalid,
    "The command needs a confirmation",
    "The change is hard to reverse, and there is no terminal to ask for a confirmation.",
    "Repeat the command with --yes.",
  ),
  declined: local(
    exitCodes.answerIsNo,
    "The command was canceled",
    "A command that is hard to reverse runs only after you confirm it.",
    "Repeat the command and answer yes.",
  ),
  ping_failed: local(
    exitCodes.answerIsNo,
    "The webhook did not answer with a success status",
    "A ping succeeds when the callback returns a status from 200 to 299.",
    "Fix the problem in the line above: start the receiver, name another with `dispatch-cli hooks update <id> --callback-url <url>`, or allow private addresses with `dispatch-cli store policy --private-hooks allow`.",
  ),
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorTable;

/** A newer server may send a code that this table does not have. */
export function errorKind(code: ErrorCode): ErrorKind {
  return Object.hasOwn(errorTable, code) ? errorTable[code] : errorTable.internal;
}
