-- The fewest parts that hold all letters of a text: each third, and the last. A search asks for these instead of all that overlap: the
-- index of parts reads the entries of each that it is asked for, and most of them are everybody's. Shared by all searches of parts.
create function parts_covering(value text)
returns text[] language sql immutable strict parallel safe as $$
  select array(
    select substr(letters, place, 3)
    from (select lower(value) as letters) as written, lateral (
      select generate_series(1, length(letters) - 3, 3) union all select greatest(1, length(letters) - 2)) as places (place)
    where letters <> '')
$$;
