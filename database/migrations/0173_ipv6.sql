-- IPv6 of servers and of what they are licensed for (docs/decisions/113). Owned by features/hosts; addresses that are licensed by
-- features/licences. Processes of the release before go on with IPv4 alone; what they claim and write takes the IPv6 along.

-- One address, or a /64 as a prefix: most hosters give a server one. None that stands for an IPv4 (::/96, ::ffff:0:0/96), or one
-- machine would have two licences.
create function is_licensable_ipv6(address inet) returns boolean language sql immutable as $$
  select family(address) = 6 and not address && inet '::/96' and not address && inet '::ffff:0:0/96'
    and (masklen(address) = 128 or (masklen(address) = 64 and address = network(address)::inet))
$$;

alter table hosts add column ipv6 inet check (is_licensable_ipv6(ipv6));

-- An edit of the addresses is one edit, whichever of them it changes.
create trigger count_ipv6_edit before update of ipv6 on hosts
  for each row when (old.ipv6 is distinct from new.ipv6) execute function count_edit();

-- A row claims one address. Networks overlap with the addresses in them.
alter table licensed_addresses
  alter column ipv4 drop not null,
  add column ipv6 inet check (is_licensable_ipv6(ipv6)),
  add constraint one_address check (num_nonnulls(ipv4, ipv6) = 1) not valid,
  add constraint one_licence_for_an_ipv6
    exclude using gist (ipv6 inet_ops with &&, tstzrange(starts_at, ends_at) with &&) where (ipv6 is not null) deferrable;

-- A licence whose IPv4 gave way to an IPv6 is renewed for that.
alter table licence_orders
  alter column ipv4 drop not null,
  add column ipv6 inet check (is_licensable_ipv6(ipv6)),
  add constraint some_address check (num_nonnulls(ipv4, ipv6) > 0) not valid;

-- Claims the addresses of a host for a period, all or none. Null, or the family of which another licence has one then.
create function claim_addresses(user_id uuid, host_id bigint, ipv4 inet, ipv6 inet, starts_at timestamptz, ends_at timestamptz)
returns text language plpgsql as $$
declare violated text;
begin
  insert into licensed_addresses (user_id, host_id, ipv4, starts_at, ends_at)
  select $1, $2, $3, $5, $6 where $3 is not null;
  insert into licensed_addresses (user_id, host_id, ipv6, starts_at, ends_at)
  select $1, $2, $4, $5, $6 where $4 is not null;
  return null;
exception when exclusion_violation then
  get stacked diagnostics violated = constraint_name;
  return case violated when 'one_licence_for_an_ipv6' then 'ipv6' else 'ipv4' end;
end $$;

-- Called by the release before.
create or replace function claim_address(user_id uuid, host_id bigint, ipv4 inet, starts_at timestamptz, ends_at timestamptz)
returns boolean language sql as $$
  select claim_addresses($1, $2, $3, (select h.ipv6 from hosts h where h.id = $2), $4, $5) is null
$$;

-- Documents that name an IPv6 are void once the host has lost it; one that was added voids nothing.
create or replace function revoke_changed() returns trigger language plpgsql as $$
begin
  perform revoke_documents(old.public_id, case
    when new.deleted_at is not null and old.deleted_at is null then 'deleted'
    when new.ipv4 is distinct from old.ipv4 or new.ipv6 is distinct from old.ipv6 then 'address'
    else 'cut_short' end);
  return null;
end $$;
create constraint trigger documents_of_another_ipv6_are_void after update on hosts
deferrable initially deferred for each row
when (old.paid_until > now() and old.ipv6 is not null and new.ipv6 is distinct from old.ipv6
  and new.ipv4 is not distinct from old.ipv4 and new.deleted_at is null)
execute function revoke_changed();
