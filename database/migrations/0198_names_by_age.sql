-- outside a transaction
-- Names in the order of the list of customers, read without the table: PostgreSQL takes a computed name from an index only where the
-- names it was computed of are there, too. Owned by features/profile.
create index concurrently profiles_by_age on profiles (created_at, user_id, lower(full_name(name, middle_name, surname)))
  include (name, middle_name, surname);
