-- Documents that were issued before a licence was suspended, cut short, moved or deleted, for verifiers that do not come to us
-- (docs/decisions/102). Written by triggers, so that no way to end a licence can forget it. Owned by features/licences.
create table revocations (
  seq bigint primary key,
  -- hosts.public_id, without a reference: it outlives the host.
  sub text not null,
  -- In seconds since 1970: documents with an earlier `iat` are void.
  before bigint not null,
  reason text not null check (reason in ('suspended', 'cut_short', 'address', 'deleted')),
  -- No document of before counts any longer then.
  until timestamptz not null
);
create index revocations_by_end on revocations (until);
select allow_app('revocations', 'select, delete');

-- What the list says changes with each row above and each withdrawn key.
create table revocation_list (
  one boolean primary key default true check (one),
  seq bigint not null,
  changed_at timestamptz not null default now()
);
insert into revocation_list (seq) values (extract(epoch from now())::bigint);
select allow_app('revocation_list', 'select');

-- Never less than the clock's second: after a restore verifiers that know a later list would refuse the next one.
create function next_revocation() returns bigint language sql
security definer set search_path = pg_catalog, public, pg_temp as $$
  update revocation_list set seq = greatest(seq + 1, extract(epoch from clock_timestamp())::bigint), changed_at = clock_timestamp()
  returning seq
$$;

-- At the commit, so that the row of the list is the last one locked and nothing of before is signed with a later second: the second
-- that runs and the next one are void as well, for check-ins that have read the row before the commit was seen. 10 days: documents of
-- 7 days with 72 hours of grace; one day more for clocks that are off.
create function revoke_documents(of_host text, why text) returns void language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into revocations (seq, sub, before, reason, until)
  values (next_revocation(), of_host, ceil(extract(epoch from clock_timestamp()))::bigint + 1, why, clock_timestamp() + interval '11 days');
end $$;

create function revoke_suspended() returns trigger language plpgsql as $$
declare of_host text;
begin
  select public_id into of_host from hosts where id = new.host_id and paid_until > now();
  if found then perform revoke_documents(of_host, 'suspended'); end if;
  return null;
end $$;
create constraint trigger suspended_documents_are_void after insert on suspensions
deferrable initially deferred for each row execute function revoke_suspended();

create function revoke_changed() returns trigger language plpgsql as $$
begin
  perform revoke_documents(old.public_id, case
    when new.deleted_at is not null and old.deleted_at is null then 'deleted'
    when new.ipv4 is distinct from old.ipv4 then 'address'
    else 'cut_short' end);
  return null;
end $$;
create constraint trigger changed_documents_are_void after update on hosts
deferrable initially deferred for each row
when (old.paid_until > now() and (
  new.paid_until is null or new.paid_until < old.paid_until
  or new.ipv4 is distinct from old.ipv4
  or (new.deleted_at is not null and old.deleted_at is null)))
execute function revoke_changed();

create function revoke_key() returns trigger language plpgsql as $$
begin
  perform next_revocation();
  return null;
end $$;
create constraint trigger withdrawn_keys_are_listed after update of withdrawn_at on signing_keys
deferrable initially deferred for each row when (old.withdrawn_at is null and new.withdrawn_at is not null)
execute function revoke_key();
