-- outside a transaction
-- Companies by the parts of their searchable form. Owned by features/profile.
create index concurrently profiles_by_search_part_of_company on profiles using gin (search_parts_of(company)) where company <> '';
