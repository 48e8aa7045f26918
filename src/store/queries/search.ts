import type { Kysely } from "kysely";
import { type FoundKind, searchMatches } from "../../models/search.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { type Score, scoreRecord } from "../search/score.ts";
import { type SearchTerm, toTermLists } from "../search/terms.ts";
import { findCandidates, findNamedCustomers, type SearchFrame } from "./search-candidates.ts";
import { type Hit, showHits } from "./search-hits.ts";
import { type FoundRecord, loadFound } from "./search-records.ts";
import { findWords, forgetWords } from "./search-words.ts";

interface SearchRequest extends SearchFrame {
  query: string;
  limit: number;
  isActive: boolean;
  today: () => Promise<Timestamp>;
}

/** `results`: matches, best first. `nearest`: without matches, records that match some words. */
interface Hits {
  nearest: Hit[];
  results: Hit[];
  total: number;
}

export function searchQueries(access: TenantAccess, db: Kysely<Database>) {
  return {
    /** Exact words come first. Typing errors are allowed only if no record has all words. */
    async find(request: SearchRequest) {
      const { nearest, results, total } = await search(access, db, request);
      const show = (hits: readonly Hit[]) => showHits(access, hits, request.today);
      return { nearest: await show(nearest), results: await show(results), total_count: total };
    },

    forgetWords: (after: number) => forgetWords(access, db, after),
  };
}

async function search(access: TenantAccess, db: Kysely<Database>, request: SearchRequest): Promise<Hits> {
  const lists = toTermLists(request.query);
  const exact = await findAll(access, db, request, lists);
  const whole = exact.filter(({ score }) => score.isWhole);
  if (whole.length > 0) return { nearest: [], results: whole.slice(0, request.limit), total: whole.length };
  const forgiving = lists.map((list) => list.map((term) => ({ ...term, isNear: !term.isPhone })));
  const near = await findAll(access, db, request, forgiving);
  const matching = near.filter(({ score }) => score.isWhole);
  const results = matching.slice(0, request.limit);
  const nearest = results.length > 0 ? [] : near.slice(0, request.limit);
  return { nearest, results, total: matching.length };
}

async function findAll(
  access: TenantAccess,
  db: Kysely<Database>,
  request: SearchRequest,
  lists: readonly SearchTerm[][],
): Promise<Hit[]> {
  const { kinds, locationId, query } = request;
  const named = kinds.includes("customer") ? await findNamedCustomers(access, locationId, query) : [];
  const best = new Map<string, Hit>();
  for (const terms of lists) {
    const words = await Promise.all(terms.map((term) => findWords(db, access.tenantId, term)));
    const candidates = await findCandidates(access, db, request, words);
    for (const record of await loadFound(access, withIds(candidates, terms, kinds, named))) {
      const score = scoreRecord(terms, record.texts);
      const key = `${record.kind} ${record.id}`;
      const known = best.get(key);
      if (!score || !isWanted(request, record) || (known && compareScores(known.score, score) <= 0)) continue;
      best.set(key, { record, score });
    }
  }
  return [...best.values()].toSorted(toComparison(request.query));
}

/** The index has these filters, but records found by a typed id or a whole name do not come from it. */
function isWanted({ isActive, locationId }: SearchRequest, record: FoundRecord): boolean {
  if (isActive && !record.isActive) return false;
  if (locationId === null || record.locationId === locationId) return true;
  return record.customer?.locations.some((location) => location.location_id === locationId) ?? false;
}

/** A number may also be an id, and all words together the name of a customer. */
function withIds(
  candidates: ReadonlyMap<FoundKind, ReadonlySet<number>>,
  terms: readonly SearchTerm[],
  kinds: readonly FoundKind[],
  named: readonly number[],
): Map<FoundKind, number[]> {
  const [only, ...others] = terms;
  const isId = others.length === 0 && only !== undefined && /^[1-9]\d{0,14}$/.test(only.text);
  const ids = isId ? [Number(only.text)] : [];
  const of = (kind: FoundKind) => [
    ...(candidates.get(kind) ?? []),
    ...(kind === "customer" ? named : []),
    ...ids,
  ];
  return new Map(kinds.map((kind) => [kind, [...new Set(of(kind))]]));
}

const toRank = ({ match }: Score) => searchMatches.indexOf(match);

function compareScores(a: Score, b: Score): number {
  return (
    Number(b.isWhole) - Number(a.isWhole) ||
    toRank(a) - toRank(b) ||
    b.terms - a.terms ||
    a.distance - b.distance
  );
}

/** A number probably means a job, a word a customer. */
const kindsByWord: readonly FoundKind[] = ["customer", "truck", "driver", "job"];
const kindsByNumber: readonly FoundKind[] = ["job", "truck", "customer", "driver"];

function toComparison(query: string): (a: Hit, b: Hit) => number {
  const order = /\d/.test(query) ? kindsByNumber : kindsByWord;
  const isSure = ({ isWhole }: Score) => Number(isWhole);
  return ({ record: a, score: first }, { record: b, score: second }) =>
    isSure(second) - isSure(first) ||
    second.terms - first.terms ||
    toRank(first) - toRank(second) ||
    Number(b.isActive) - Number(a.isActive) ||
    first.distance - second.distance ||
    first.textDistance - second.textDistance ||
    order.indexOf(a.kind) - order.indexOf(b.kind) ||
    first.place - second.place ||
    a.name.length - b.name.length ||
    (a.name < b.name ? -1 : Number(a.name > b.name)) ||
    a.id - b.id;
}
