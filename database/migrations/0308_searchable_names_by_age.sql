-- outside a transaction
-- Searchable names in the order of the list of customers, read without the table, as by profiles_by_age. Owned by features/profile.
create index concurrently profiles_by_searchable_age on profiles (created_at, user_id, searchable(full_name(name, middle_name, surname)))
  include (name, middle_name, surname);
