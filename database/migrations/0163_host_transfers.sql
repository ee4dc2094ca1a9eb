-- A server goes to another account (docs/decisions/109). Owned by features/hosts.
create table host_transfers (
  id uuid primary key default gen_random_uuid(),
  host_id bigint not null references hosts,
  -- The account that offers: the owner at that time.
  user_id uuid not null references users on delete cascade,
  -- The address that it is offered to, in the one form of foundation/email-address.ts; null once it is erased.
  email text check (email = lower(email) and length(email) <= 254),
  -- The account that has accepted or declined.
  receiver_id uuid references users on delete set null,
  state text not null default 'offered' check (state in ('offered', 'accepted', 'declined', 'withdrawn', 'expired', 'ended')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  ended_at timestamptz,
  check (receiver_id <> user_id),
  check ((ended_at is null) = (state = 'offered')),
  check (state <> 'offered' or email is not null)
);
create unique index one_open_transfer on host_transfers (host_id) where state = 'offered';
create index transfers_of_user on host_transfers (user_id, created_at);
create index transfers_of_receiver on host_transfers (receiver_id) where receiver_id is not null;
create index transfers_by_email on host_transfers (email) where email is not null;
create index open_transfers_by_end on host_transfers (expires_at) where state = 'offered';
create index ended_transfers on host_transfers (ended_at) where ended_at is not null;
select allow_app('host_transfers', 'select, insert, update, delete');
select protect_rows('host_transfers', 'user_id');

-- An account is deleted: what is offered to its addresses ends, and no address stays that names it, or that it named. Offers are rows of who
-- offers, so this one step is the system's.
create function leave_transfers(person uuid) returns table (host_id bigint, user_id uuid, email text, was_open boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  actor text := current_setting('app.actor', true);
  own text[] := (select array_agg(a.email) from email_addresses a where a.user_id = person and a.verified_at is not null);
begin
  if not actor_owns(person) then
    raise exception 'account % is not of %', person, actor using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.actor', 'system', true);
  return query update host_transfers t set state = 'ended', ended_at = now(), receiver_id = person
    where t.state = 'offered' and t.email = any(own) and t.user_id <> person
    returning t.host_id, t.user_id, t.email, t.expires_at > clock_timestamp();
  update host_transfers t set email = null
    where t.state <> 'offered' and (t.user_id = person or t.receiver_id = person or t.email = any(own));
  perform set_config('app.actor', actor, true);
end $$;

-- The rows that belong to a server follow it to its next owner, by their reference. They are validated by 0164.
do $$
declare
  followers text[][] := array[
    ['paid_periods', 'paid_periods_follow_host'],
    ['licensed_addresses', 'licensed_addresses_follow_host'],
    ['licence_watches', 'licence_watches_follow_host'],
    ['host_agents', 'host_agents_follow_host']];
  follower text[];
begin
  foreach follower slice 1 in array followers loop
    execute format('alter table %I drop constraint %I', follower[1], follower[1] || '_user_id_host_id_fkey');
    execute format('alter table %I add constraint %I foreign key (user_id, host_id) references hosts (user_id, id) on update cascade not valid',
      follower[1], follower[2]);
  end loop;
end $$;

-- Orders, invoices and tickets stay with the account that had them: they name the server alone. A paid period can have the order of an earlier owner.
alter table licence_orders drop constraint licence_orders_user_id_host_id_fkey,
  add constraint licence_orders_host_id_fkey foreign key (host_id) references hosts not valid;
alter table paid_periods drop constraint paid_periods_user_id_order_id_fkey,
  add constraint paid_periods_order_id_fkey foreign key (order_id) references licence_orders not valid;
alter table tickets drop constraint tickets_user_id_host_id_fkey,
  add constraint tickets_host_id_fkey foreign key (host_id) references hosts not valid;

-- They were written by the owner of then (rule 3). At the commit: the reference holds the server's row by then, so that a transfer that ran
-- at the same time is seen.
create function host_is_owned() returns trigger language plpgsql as $$
begin
  if not exists (select from hosts where id = new.host_id and user_id = new.user_id) then
    raise exception 'host % is not of % in %', new.host_id, new.user_id, tg_table_name using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create constraint trigger order_of_owner after insert on licence_orders deferrable initially deferred
  for each row execute function host_is_owned();
create constraint trigger ticket_of_owner after insert on tickets deferrable initially deferred
  for each row when (new.host_id is not null) execute function host_is_owned();
create constraint trigger transfer_of_owner after insert on host_transfers deferrable initially deferred
  for each row execute function host_is_owned();

-- An agreement of the next owner about all servers, also those to come, is about this one.
create trigger joins_payer_of_next after update of user_id on hosts for each row
  when (new.user_id <> old.user_id) execute function join_payer();

-- Documents that the owner of before has fetched count no more.
alter table revocations drop constraint revocations_reason_check,
  add constraint revocations_reason_check
    check (reason in ('suspended', 'cut_short', 'address', 'deleted', 'released', 'transferred')) not valid;
create function revoke_transferred() returns trigger language plpgsql as $$
begin
  perform revoke_documents(old.public_id, 'transferred');
  return null;
end $$;
create constraint trigger transferred_documents_are_void after update of user_id on hosts deferrable initially deferred
  for each row when (old.user_id <> new.user_id and old.paid_until > now()) execute function revoke_transferred();

-- Credits for what another account has paid are that account's: the payer of an agreement, or an owner of before.
create or replace function begin_credit(credited uuid) returns void
language plpgsql as $$
begin
  if not exists (
    select from licence_orders o join hosts h on h.id = o.host_id
    where o.transaction_id = credited and coalesce(o.payer_id, o.user_id) <> h.user_id and actor_owns(h.user_id)) then
    raise exception 'transaction % did not pay for a server of this account', credited using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.actor', 'system', true);
end $$;

-- The price that an earlier owner has paid is hidden from the next one: it is null, but for a trial, which costs nothing.
create or replace function licence_at(host bigint, at timestamptz) returns table (plan text, plan_name jsonb, edition text, term text,
  price bigint, net bigint, currency text, entitlements jsonb, ordered_at timestamptz, starts_at timestamptz, ends_at timestamptz)
language sql stable as $$
  select coalesce(p.plan, o.plan), o.plan_name, coalesce(p.edition, l.edition), coalesce(p.term, o.term),
    case when o.user_id = p.user_id or o.kind = 'trial' then o.total end,
    coalesce(p.net, o.net), o.currency,
    coalesce((select jsonb_object_agg(e.key, e.value) from edition_entitlements e where e.edition = coalesce(p.edition, l.edition)), '{}')
      || coalesce(p.entitlements, '{}'),
    o.ordered_at, p.starts_at, p.ends_at
  from paid_periods p join licence_orders o on o.id = p.order_id join plans l on l.slug = o.plan
  where p.host_id = host and p.ends_at > p.starts_at
    and p.starts_at >= coalesce((
      select q.starts_at from paid_periods q
      where q.host_id = host and q.starts_at <= at and q.ends_at > q.starts_at
      order by q.starts_at desc limit 1), '-infinity')
$$;
