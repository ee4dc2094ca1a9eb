-- What a text contains, for searches of a part of it: all that are one, two or three letters long, in small letters; or only
-- those of at least `shortest` letters. A text contains another only if it has all of its parts, which an index can tell.
create function parts_of(value text, shortest integer default 1)
returns text[] language sql immutable strict parallel safe cost 1000 as $$
  select array(
    select substr(letters, place, size)
    from (select lower(value) as letters) as written, generate_series(1, length(letters)) as place, generate_series(shortest, 3) as size
    where place + size - 1 <= length(letters))
$$;

-- The name as staff read and search it.
create function full_name(name text, middle_name text, surname text)
returns text language sql immutable parallel safe as $$
  select name || ' ' || case when middle_name = '' then '' else middle_name || ' ' end || surname
$$;
