-- The tags of a ticket, as staff typed them, normalised; and the time from which a ticket sleeps: until `snoozed_until`, or until its
-- customer answers where that is null.
alter table tickets add column tags text[] not null default '{}' check (cardinality(tags) <= 10);
alter table tickets add column snoozed_at timestamptz;
alter table tickets add column snoozed_until timestamptz check (coalesce(isfinite(snoozed_at), snoozed_until is null));

-- The tags that were ever given, for the suggestions while somebody types one.
create table ticket_tags (
  name text primary key check (length(name) between 1 and 40),
  created_at timestamptz not null default now()
);
select allow_app('ticket_tags', 'select, insert, delete');
