-- A licence key is renewed by its owner, or with another owner (docs/decisions/136). Owned by features/hosts.

-- The time at which its owner last renewed the key, or said that it may stay; null for the key that came with the host.
alter table hosts add column key_checked_at timestamptz;

-- Keys of before that still answer: software keeps asking with them until somebody has given it the new one.
create table former_keys (
  licence_key text primary key,
  host_id bigint not null,
  user_id uuid not null,
  ends_at timestamptz not null,
  foreign key (user_id, host_id) references hosts (user_id, id) on update cascade
);
create index former_keys_of_host on former_keys (user_id, host_id);
create index former_keys_by_end on former_keys (ends_at);
select allow_app('former_keys', 'select, insert, update, delete');
select protect_rows('former_keys', 'user_id');

-- Documents with the key of before are void when that key ends: at once, or at the end of the time for which it still answers.
alter table revocations add column begins_at timestamptz;
alter table revocations drop constraint revocations_reason_check,
  add constraint revocations_reason_check
    check (reason in ('suspended', 'cut_short', 'address', 'deleted', 'released', 'transferred', 'key')) not valid;
alter table revocations validate constraint revocations_reason_check;

create function revoke_renewed() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  number bigint := next_revocation();
begin
  insert into revocations (seq, sub, before, reason, begins_at, until)
  values (number, old.public_id, void_before(clock_timestamp(), documents_from(old.public_id)), 'key',
    (select f.ends_at from former_keys f where f.licence_key = old.licence_key), clock_timestamp() + interval '12 days');
  return null;
end $$;
create constraint trigger documents_of_another_key_are_void after update of licence_key on hosts deferrable initially deferred
  for each row when (old.licence_key <> new.licence_key and old.user_id = new.user_id and old.paid_until > now())
  execute function revoke_renewed();
