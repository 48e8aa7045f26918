import { joiners, phoneEnds, plainLetters, separators, wordCharsMax } from "./plain-text.ts";
import { type SearchSource, searchSources, toSourceText } from "./sources.ts";

/**
 * Needs no extension of PostgreSQL. `readPostgresDefinitions` recognizes the functions by the names words_…. Two
 * transactions with the same new word both write its parts, because waiting for each other could deadlock; duplicate
 * parts are harmless.
 */
export const toSearchIndexOnPostgres = (
  text: string,
  toWall: (tables: readonly string[]) => string,
): string => `
    create table search_words (
      tenant_id bigint not null, word ${text} not null, field smallint not null,
      record_id bigint not null, row_id bigint not null, primary key (tenant_id, word, field, record_id, row_id)
    );
    create table search_parts (
      tenant_id bigint not null, part ${text} not null, word ${text} not null
    );
    create index search_parts_by_part on search_parts (tenant_id, part, word);
    ${toWall(["search_words", "search_parts"])}

    ${toFunctions()}
    ${[...new Set(searchSources.map(({ table }) => table))].map(toTriggers).join("")}`;

export const toSearchRefillOnPostgres = (): string => `
    delete from search_words;
    delete from search_parts;
    ${toFill()}`;

function toFill(): string {
  return `insert into search_words (tenant_id, word, field, record_id, row_id) ${toAllWords()};
    insert into search_parts (tenant_id, part, word)
      select tenant_id, words_parts(word), word from (select distinct tenant_id, word from search_words) as known`;
}

const toAllWords = (): string =>
  searchSources.map((source) => toWords(source, source.table)).join("\n      union all ");

function toFunctions(): string {
  return `
    create function words_plain(given text) returns text language sql immutable as $$
      select ${toPlain("given")}
    $$;
    create function words_of(kind text, given text) returns setof text language plpgsql immutable as $$
    declare
      plain text := words_plain(given);
      squeezed text := replace(plain, ' ', '');
      dialled text := regexp_replace(squeezed, '[ex].*$', '');
    begin
      if kind = 'phone' then
        return query select distinct left(word, ${wordCharsMax})
          from unnest(array[dialled, ${phoneEnds.map((length) => `right(dialled, ${length})`).join(", ")}]) as word
          where dialled ~ '^[0-9]+$';
      else
        if kind = 'reference' then plain := plain || ' ' || squeezed; end if;
        return query select distinct left(word, ${wordCharsMax})
          from unnest(string_to_array(plain, ' ')) as word where word <> '';
      end if;
    end $$;
    create function words_parts(word text) returns setof text language sql immutable as $$
      select distinct substr('^' || word, place, 3) from generate_series(1, ${wordCharsMax}) as place
      where place = 1 or (place < length(word) and word !~ '[0-9]')
    $$;
    create function words_put(tenant bigint, given_field smallint, record bigint, given_row bigint, given text[])
      returns void language plpgsql as $$
    declare one text;
    begin
      foreach one in array given loop
        insert into search_words (tenant_id, word, field, record_id, row_id)
          values (tenant, one, given_field, record, given_row) on conflict do nothing;
        perform from search_parts where tenant_id = tenant and part = left('^' || one, 3) and word = one limit 1;
        if not found then
          insert into search_parts (tenant_id, part, word) select tenant, words_parts(one), one;
        end if;
      end loop;
    end $$;`;
}

/** Does the same as `toPlainText`. ASCII texts need fewer replacements. */
function toPlain(text: string): string {
  const [spaces, gone] = [separators.filter(isAscii), joiners.filter(isAscii)];
  const from = quote([...spaces, ...gone].join(""));
  return `case when octet_length(${text}) = char_length(${text})
        then translate(lower(${text} collate "C"), ${from}, '${spaces.map(() => " ").join("")}')
        else ${toPlainWhole(text)} end`;
}

const isAscii = (letter: string) => letter <= "~";
const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

function toPlainWhole(text: string): string {
  const letters = [...plainLetters].filter(([, plain]) => plain.length === 1);
  const upper = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index)).join("");
  const from = [...letters.map(([letter]) => letter), ...separators, upper, ...joiners].join("");
  const to = [...letters.map(([, plain]) => plain), ...separators.map(() => " "), upper.toLowerCase()];
  const ligatures = [...plainLetters].filter(([, plain]) => plain.length !== 1);
  const apart = ligatures.reduce((sql, [letter, plain]) => `replace(${sql}, '${letter}', '${plain}')`, text);
  // translate() removes characters without a counterpart: the joiners.
  return `translate(${apart}, ${quote(from)}, '${to.join("")}')`;
}

/** A statement trigger is fast for inserts. Updates need row triggers, which can be limited to columns. */
function toTriggers(table: string): string {
  const sources = searchSources.filter((source) => source.table === table);
  const columns = sources.flatMap(({ columns: texts }) => texts).join(", ");
  return `
    create function words_added_to_${table}() returns trigger language plpgsql as $$
    begin
      with given as materialized (
        ${sources.map((source) => toWords(source, "added")).join("\n        union all ")}
      ), put as (
        insert into search_words (tenant_id, word, field, record_id, row_id)
          select tenant_id, word, field, record_id, row_id from given on conflict do nothing
      )
      insert into search_parts (tenant_id, part, word)
        select tenant_id, words_parts(word), word from (select distinct tenant_id, word from given) as known
        where (select true from search_parts where tenant_id = known.tenant_id
          and part = left('^' || known.word, 3) and word = known.word limit 1) is null;
      return null;
    end $$;
    create trigger ${table}_search_added after insert on ${table} referencing new table as added
      for each statement execute function words_added_to_${table}();
    create function words_changed_in_${table}() returns trigger language plpgsql as $$
    begin
      ${sources.map(toStep).join("\n      ")}
      return null;
    end $$;
    create trigger ${table}_search_changed after update of ${columns} on ${table}
      for each row execute function words_changed_in_${table}();`;
}

function toWords(source: SearchSource, table: string): string {
  const { field, record, row, words } = source;
  return `select ${table}.tenant_id, word, ${field}::smallint as field, ${table}.${record} as record_id,
          ${table}.${row} as row_id
        from ${table}, words_of('${words}', ${toSourceText(source, table, "strpos")}) as word`;
}

function toStep(source: SearchSource): string {
  const { field, record, row, words } = source;
  const [before, after] = [toSourceText(source, "old", "strpos"), toSourceText(source, "new", "strpos")];
  return `if ${before} <> ${after} then
        delete from search_words where tenant_id = old.tenant_id and field = ${field} and record_id = old.${record}
          and row_id = old.${row} and word in (select words_of('${words}', ${before}));
        perform words_put(new.tenant_id, ${field}::smallint, new.${record}, new.${row},
          array(select words_of('${words}', ${after})));
      end if;`;
}
