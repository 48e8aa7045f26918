import { joiners, phoneEnds, plainLetters, separators, wordCharsMax } from "./plain-text.ts";
import { type SearchSource, searchSources, toSourceText } from "./sources.ts";

const columns = "tenant_id, field, record_id, row_id, words, text, is_gone";

export const toSearchRefill = (): string => `
    delete from search_words;
    delete from search_parts;
    delete from search_letters;
    ${toFillLetters()}
    ${toFill()}`;

/** Counts missing and extra words, and missing parts and letters. Extra parts are harmless. */
export const toWrongWordCount = (): string => `
    with kept as (select tenant_id, word, field, record_id, row_id from search_words),
      expected as (${toAllWords()})
    select (select count(*) from (select * from kept except select * from expected))
      + (select count(*) from (select * from expected except select * from kept))
      + (select count(*) from (${toAllParts()} except select tenant_id, part, word from search_parts))
      + (select count(*) from (${toAllLetters()} except select letter, plain from search_letters))`;

/**
 * `search_words` has the records of each word, `search_parts` the words of each part. Triggers write both. An insert
 * into the view `search_texts` indexes a text, because only its triggers split texts into words.
 */
export const toSearchIndexOnSqlite = (): string => `
    create table search_words (
      tenant_id integer not null, word text not null, field integer not null, record_id integer not null,
      row_id integer not null, primary key (tenant_id, word, field, record_id, row_id)
    ) strict, without rowid;
    create table search_parts (
      tenant_id integer not null, part text not null, word text not null, primary key (tenant_id, part, word)
    ) strict, without rowid;

    create table search_letters (letter text primary key, plain text not null) strict, without rowid;
    ${toFillLetters()}

    create view search_texts (${columns}) as
      ${searchSources.map((source) => `select ${toRow(source, source.table, 0)} from ${source.table}`).join("\n      union all ")};

    create trigger search_words_on_insert after insert on search_words
      when not exists (select 1 from search_parts
        where tenant_id = new.tenant_id and part = substr('^' || new.word, 1, 3) and word = new.word) begin
      insert into search_parts (tenant_id, part, word) ${toParts("", "new")} on conflict do nothing;
    end;
    create trigger search_words_on_removal after delete on search_words
      when not exists (select 1 from search_words where tenant_id = old.tenant_id and word = old.word) begin
      delete from search_parts where (tenant_id, part, word) in (${toParts("", "old")});
    end;
    create trigger search_texts_on_insert instead of insert on search_texts when new.is_gone = 0 and new.text <> '' begin
      insert into search_words (tenant_id, word, field, record_id, row_id)
        select new.tenant_id, word, new.field, new.record_id, new.row_id from (${toWords()})
        where true on conflict do nothing;
    end;
    create trigger search_texts_on_removal instead of insert on search_texts when new.is_gone = 1 begin
      delete from search_words where tenant_id = new.tenant_id and field = new.field and record_id = new.record_id
        and row_id = new.row_id and word in (${toWords()});
    end;
    ${[...new Set(searchSources.map(({ table }) => table))].map(toTriggers).join("")}`;

function toRow(source: SearchSource, row: string, isGone: 0 | 1): string {
  const { field, record, row: rowId, words } = source;
  const text = toSourceText(source, row, "instr");
  return `${row}.tenant_id, ${field}, ${row}.${record}, ${row}.${rowId}, '${words}', ${text}, ${isGone}`;
}

/** Stale words do no harm: records are never deleted, and the search shows existing ones only. */
function toTriggers(table: string): string {
  const sources = searchSources.filter((source) => source.table === table);
  const put = (source: SearchSource) =>
    `insert into search_texts (${columns}) values (${toRow(source, "new", 0)});`;
  const change = (source: SearchSource) =>
    [toRow(source, "old", 1), toRow(source, "new", 0)].map(
      (row) => `insert into search_texts (${columns}) select ${row} where ${isOther(source)};`,
    );
  const textOf = (source: SearchSource, row: "new" | "old") => toSourceText(source, row, "instr");
  const isOther = (source: SearchSource) => `${textOf(source, "old")} <> ${textOf(source, "new")}`;
  return `
    create trigger ${table}_search_on_insert after insert on ${table} begin
      ${sources.map(put).join("\n      ")}
    end;
    create trigger ${table}_search_on_update after update of ${sources.flatMap(({ columns: texts }) => texts).join(", ")} on ${table}
      when ${sources.map(isOther).join(" or ")} begin
      ${sources.flatMap(change).join("\n      ")}
    end;`;
}

function toFill(): string {
  return `insert into search_words (tenant_id, word, field, record_id, row_id)
      ${toAllWords()} order by 1, 2, 3, 4, 5;
    insert into search_parts (tenant_id, part, word) ${toAllParts()} order by 1, 2, 3
      on conflict do nothing;`;
}

const toAllParts = () => toParts("(select distinct tenant_id, word from search_words) as known", "known");

const toFillLetters = () => `insert into search_letters (letter, plain) ${toAllLetters()};`;

const toAllLetters = () => `select char(column1), column2 from (values ${toLetters()})`;

function toAllWords(): string {
  return `select distinct tenant_id, ${shortWord} as word, field, record_id, row_id
      from ${toWordsOf(toPlain("select * from search_texts", "limit -1"))} where value <> ''`;
}

function toWords(): string {
  const given = toPlain("select new.words as words, new.text as text", "limit 1");
  return `select ${shortWord} as word from ${toWordsOf(given)} where value <> ''`;
}

const shortWord = `substr(value, 1, ${wordCharsMax})`;

/** SQLite splits a JSON list fastest. */
function toWordsOf(given: string): string {
  const squeezed = "replace(plain, ' ', '')";
  // Digits after a letter are an extension.
  const digits = `substr(${squeezed}, 1, instr(replace(${squeezed}, 'e', 'x') || 'x', 'x') - 1)`;
  const dialled = `case when words = 'phone' and ${digits} not glob '*[^0-9]*' then ${digits} else '' end`;
  const ends = phoneEnds.map((length) => `'","' || substr(dialled, -${length})`).join(" || ");
  const list = `case words
          when 'phone' then '["' || dialled || ${ends} || '"]'
          when 'reference' then '[' || replace(json_quote(plain || ' ' || ${squeezed}), ' ', '","') || ']'
          else '[' || replace(json_quote(plain), ' ', '","') || ']' end`;
  return `(select *, ${dialled} as dialled from (${given}) limit -1) as given, json_each(${list})`;
}

/** Computes `toPlainText` in SQL. A limit keeps SQLite from converting a text once per use. */
function toPlain(rows: string, limit: string): string {
  const folded = `case when text glob '*[^ -~]*' then ${toFolded("text")} else text end`;
  const first = `select *, ${folded} as step0 from (${rows}) ${limit}`;
  const replaced = toSteps().reduce(
    (from, step, index) =>
      `select *, ${toReplaced(step, `step${index}`)} as step${index + 1} from (${from}) ${limit}`,
    first,
  );
  return `select *, lower(step${toSteps().length}) as plain from (${replaced}) ${limit}`;
}

type Replacement = readonly [from: string, to: string];

const stepMax = 12;

function toSteps(): Replacement[][] {
  const gone = joiners.filter(isAscii).map((one): Replacement => [one, ""]);
  const all = [...gone, ...separators.filter(isAscii).map((one): Replacement => [one, " "])];
  return Array.from({ length: Math.ceil(all.length / stepMax) }, (_, index) =>
    all.slice(index * stepMax, (index + 1) * stepMax),
  );
}

function toReplaced(step: readonly Replacement[], text: string): string {
  const replaced = step.reduce((sql, [from, to]) => `replace(${sql}, ${quote(from)}, '${to}')`, text);
  return `case when ${text} glob '*[^ 0-9A-Za-z]*' then ${replaced} else ${text} end`;
}

/** Looks up each character. A JSON list of zeros counts the positions. */
function toFolded(text: string): string {
  const character = `substr(${text}, key + 1, 1)`;
  return `(select group_concat(one, '') from (select
          coalesce((select plain from search_letters where letter = ${character}), ${character}) as one
          from json_each('[' || substr(replace(hex(zeroblob(length(${text}))), '00', ',0'), 2) || ']') order by key))`;
}

function toLetters(): string {
  const others = (characters: readonly string[], plain: string) =>
    characters.filter((one) => !isAscii(one)).map((one): [string, string] => [one, plain]);
  return [...plainLetters, ...others(joiners, ""), ...others(separators, " ")]
    .map(([letter, plain]) => `(${letter.codePointAt(0)}, '${plain}')`)
    .join(", ");
}

const isAscii = (character: string) => /[ -~]/.test(character);
const quote = (character: string) => `'${character.replaceAll("'", "''")}'`;

/**
 * A word's parts: ^ with the first two letters, for beginnings; and each three letters in a row, for words that contain
 * others or are similar. Numbers have only the first: there are too many. Positions have two digits, so that the list
 * can be cut to the word's length.
 */
function toParts(from: string, row: string): string {
  const places = Array.from({ length: wordCharsMax - 2 }, (_, index) => `,${index + 12}`).join("");
  const inner = `max(length(${row}.word) - 2, 0) * (${row}.word not glob '*[0-9]*')`;
  const separator = from === "" ? "" : `${from}, `;
  return `select ${row}.tenant_id, substr('^' || ${row}.word, value - 10, 3), ${row}.word
        from ${separator}json_each('[11' || substr('${places}', 1, 3 * ${inner}) || ']') where true`;
}
