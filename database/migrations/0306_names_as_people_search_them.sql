-- outside a transaction
-- Names by the parts of their searchable form. Owned by features/profile.
create index concurrently profiles_by_search_part_of_name on profiles using gin (search_parts_of(full_name(name, middle_name, surname)));
