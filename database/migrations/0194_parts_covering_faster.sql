-- The parts of a searched text, as before. A function in SQL was planned at each call, and a search calls it three times: two of its
-- four tenths of a millisecond. Owned by foundation/server/database.
create or replace function parts_covering(value text) returns text[]
language plpgsql immutable strict parallel safe as $$
declare
  letters text := lower(value);
  size int := length(letters);
  parts text[] := '{}';
begin
  for place in 1 .. size - 3 by 3 loop
    parts := parts || substr(letters, place, 3);
  end loop;
  return case when size = 0 then parts else parts || substr(letters, greatest(1, size - 2), 3) end;
end $$;
