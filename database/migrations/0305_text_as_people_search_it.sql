-- Text as people search for it: case, accents, ß, apostrophes, hyphens and kinds of blanks make no difference. The same functions in
-- TypeScript are in foundation/search-text.ts. Owned by the foundation.
create function fold_text(value text) returns text language plpgsql immutable parallel safe strict as $$
declare
  gone constant text := E'''`\u00b4\u02b9\u02bb\u02bc\u02bd\u2018\u2019\u201a\u201b\u2032\uff07\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d-';
  letters text := translate(value, gone, '');
begin
  if octet_length(letters) <> length(letters) then
    letters := lower(regexp_replace(normalize(letters, nfkd), '[\u0300-\u036f\u200b-\u200f\u2060\ufeff]', '', 'g'));
    letters := replace(replace(replace(replace(letters, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    letters := translate(letters, 'ıłøđðħς', 'iloddhσ');
  else
    letters := lower(letters);
  end if;
  return regexp_replace(regexp_replace(letters, '[ \t\n\v\f\r\u0085\u1680\u2028\u2029]+', ' ', 'g'), '^ | $', '', 'g');
end $$;

-- Germans write ü as u or ue: what is searched for has the short form, and what is searched holds it beside the other.
create function shortened(folded text) returns text language sql immutable parallel safe strict as
  $$ select regexp_replace(folded, '([aou])e+', '\1', 'g') $$;

create function searchable(value text) returns text language plpgsql immutable parallel safe strict as $$
declare
  folded text := public.fold_text(value);
  short text := public.shortened(folded);
begin
  return case when short = folded then folded else folded || ' ' || short end;
end $$;

-- The parts of a text in that form, of one to three letters, for indices. The functions of before stay for the release before.
create function search_parts_of(value text) returns text[] language sql immutable parallel safe strict cost 1000 as $$
  select array(
    select substr(letters, place, size)
    from (select public.searchable(value) as letters) as written, generate_series(1, length(letters)) as place, generate_series(1, 3) as size
    where place + size - 1 <= length(letters))
$$;

select set_config('app.actor', 'system', true);

-- Names that were stored before texts were composed: ü was one character or two.
update profiles set name = normalize(name), middle_name = normalize(middle_name), surname = normalize(surname), company = normalize(company),
  address = normalize(address), city = normalize(city), state = normalize(state)
  where name || middle_name || surname || company || address || city || state is not normalized;
update hosts set name = normalize(name) where name is not normalized;
update tickets set subject = normalize(subject) where subject is not normalized;
