-- outside a transaction
create index concurrently profiles_by_name_part on profiles using gin (name_parts(full_name(name, middle_name, surname)));
-- Each change of a name wrote both of these too. The release before finds the same without them, only more slowly.
drop index concurrently profiles_by_search_part_of_name;
drop index concurrently profiles_by_searchable_age;
