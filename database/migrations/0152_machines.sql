-- The machines on which a licence runs (docs/decisions/104). Owned by features/licences.
create table activations (
  id uuid primary key default gen_random_uuid(),
  host_id bigint not null,
  user_id uuid not null,
  -- Of a machine that has no id of its own: null, and one machine.
  fingerprint text check (fingerprint ~ '^[0-9a-f]{64}$'),
  hostname text check (length(hostname) <= 253),
  address inet not null,
  first_seen timestamptz not null default clock_timestamp(),
  -- To the hour.
  last_seen timestamptz not null default clock_timestamp(),
  released_at timestamptz check (released_at >= first_seen),
  released_by text check (released_by in ('owner', 'system')),
  -- When its owner was told that it is one too many.
  mailed_at timestamptz,
  check ((released_at is null) = (released_by is null)),
  foreign key (user_id, host_id) references hosts (user_id, id) on update cascade
);
create unique index one_place_for_a_machine on activations (host_id, fingerprint) nulls not distinct where released_at is null;
create index machines_of_host on activations (host_id, first_seen, id);
create index machines_of_user on activations (user_id, first_seen);
create index machines_by_last_seen on activations (last_seen) where released_at is null;
create index released_machines on activations (released_at) where released_at is not null;
select allow_app('activations', 'select, insert, update, delete');
select protect_rows('activations', 'user_id');

alter table revocations drop constraint revocations_reason_check,
  add constraint revocations_reason_check check (reason in ('suspended', 'cut_short', 'address', 'deleted', 'released')) not valid;
alter table revocations validate constraint revocations_reason_check;

-- A document of a machine that was released counts no more.
create function revoke_released() returns trigger
language plpgsql as $$
begin
  perform revoke_documents((select public_id from hosts where id = new.host_id), 'released');
  return null;
end $$;
create constraint trigger released_machines_are_void after update of released_at on activations deferrable initially deferred
  for each row when (old.released_at is null and new.released_by = 'owner') execute function revoke_released();
