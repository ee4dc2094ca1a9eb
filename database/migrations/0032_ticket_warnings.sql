-- Which silence of theirs a customer was warned of, by its beginning: a job that is done twice warns once. Owned by
-- features/tickets.

alter table tickets add column warned_of timestamptz;
