-- The parts of names that PostgreSQL saw most often when it last looked: the share of all names that have each, and their number. The list
-- of customers chooses its way by them. Statistics of an index can be read by its owner alone. Owned by features/profile.
create function frequent_name_parts() returns table (part text, share float8, names float8) language sql stable
security definer set search_path = pg_catalog, public, pg_temp as $$
  select seen.part, seen.share, seen.share * profiles.reltuples
  from pg_stats, pg_class profiles, unnest(most_common_elems::text::text[], most_common_elem_freqs) as seen (part, share)
  where schemaname = 'public' and tablename = 'profiles_by_part_of_name' and profiles.oid = 'public.profiles'::regclass
    and seen.part is not null
$$;
