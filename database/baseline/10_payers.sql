-- Payment owners: which account pays for whose servers (docs/decisions/106).
create table payment_agreements (
  id uuid primary key default gen_random_uuid(),
  -- Of an open offer one side is known: the one that asked.
  owner_id uuid references users on delete cascade,
  payer_id uuid references users on delete cascade,
  asked_by text not null check (asked_by in ('owner', 'payer')),
  -- The other side as it was asked, in the one form of foundation/email-address.ts; null once it is erased.
  email text check ((email = lower(email)) and length(email) <= 254),
  all_hosts boolean not null,
  -- Automatic renewals only, or each order for the servers.
  pays text not null check (pays in ('renewals', 'all')),
  -- In minor units for a calendar month (UTC); without it the balance is the limit.
  month_limit bigint check (month_limit > 0),
  state text not null default 'offered' check (state in ('offered', 'active', 'declined', 'ended', 'expired')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '14 days',
  accepted_at timestamptz,
  ended_at timestamptz,
  ended_by text check (ended_by in ('owner', 'payer', 'system')),
  check (owner_id <> payer_id),
  check ( case asked_by when 'owner' then owner_id else payer_id end is not null),
  check (accepted_at is null or (owner_id is not null and payer_id is not null)),
  check (state not in ('active', 'offered') or ((accepted_at is not null) = (state = 'active'))),
  check ((ended_at is null) = (state in ('offered', 'active'))),
  check ((ended_by is null) = (state <> 'ended')),
  unique (owner_id, id, state)
);
create index agreements_by_email on payment_agreements (email) where state = 'offered';
create index agreements_of_payer on payment_agreements (payer_id) where payer_id is not null;
create index ended_agreements on payment_agreements (ended_at) where ended_at is not null;
create unique index one_active_agreement on payment_agreements (owner_id, payer_id) where state = 'active';
create unique index one_open_offer on payment_agreements (payer_id, email) where state = 'offered' and asked_by = 'payer';
create unique index one_open_request on payment_agreements (owner_id, email) where state = 'offered' and asked_by = 'owner';
-- All servers, also those to come, have one payer.
create unique index one_payer_of_all on payment_agreements (owner_id) where state = 'active' and all_hosts;
create index open_agreements_by_end on payment_agreements (expires_at) where state = 'offered';
select allow_app('payment_agreements', 'select, insert, update, delete');
alter table payment_agreements enable row level security;
alter table payment_agreements force row level security;
create policy readable on payment_agreements for select using (true);
create policy asked_by_a_side on payment_agreements for insert
  with check (state = 'offered' and actor_owns( case asked_by when 'owner' then owner_id else payer_id end));
create policy changed_by_a_side on payment_agreements for update using (actor_owns(owner_id) or actor_owns(payer_id))
  with check (actor_owns(owner_id) or actor_owns(payer_id));
-- An agreement that was active stays, because charges refer to it.
create policy forgotten_by_the_system on payment_agreements for delete using ((current_setting('app.actor', true) = 'system') and accepted_at is null);

-- The payment owner of a server: one at most, and only by an agreement that is active. The state stands here for the reference, which
-- refuses the end of an agreement while a server names it.
create table host_payers (
  host_id bigint primary key,
  user_id uuid not null,
  agreement_id uuid not null,
  state text not null default 'active' check (state = 'active'),
  created_at timestamptz not null default now(),
  foreign key (user_id, agreement_id, state) references payment_agreements (owner_id, id, state) on delete cascade,
  foreign key (user_id, host_id) references hosts (user_id, id) on delete cascade
);
create index host_payers_of_owner on host_payers (user_id, host_id);
create index hosts_of_agreement on host_payers (agreement_id, host_id);
select allow_app('host_payers', 'select, insert, delete');
select protect_rows('host_payers', 'user_id');

-- The servers that an owner asks somebody to pay for, until the payer has agreed.
create table requested_hosts (
  agreement_id uuid not null references payment_agreements on delete cascade,
  host_id bigint not null,
  user_id uuid not null,
  foreign key (user_id, host_id) references hosts (user_id, id) on delete cascade,
  primary key (agreement_id, host_id)
);
create index requested_hosts_of_owner on requested_hosts (user_id, host_id);
select allow_app('requested_hosts', 'select, insert, delete');
select protect_rows('requested_hosts', 'user_id');

-- A new server has the payer of all. The agreement is locked as by the order that follows: a shared lock, raised by two orders at once, would
-- let them wait for each other.
create function join_payer() returns trigger language plpgsql as $$
begin
  insert into host_payers (host_id, user_id, agreement_id)
    select new.id, new.user_id, a.id from payment_agreements a
    where a.owner_id = new.user_id and a.state = 'active' and a.all_hosts for update;
  return new;
end $$;
create trigger joins_payer after insert on hosts for each row execute function join_payer();

-- An agreement of the next owner about all servers, also those to come, is about this one.
create trigger joins_payer_of_next after update of user_id on hosts for each row
  when (new.user_id <> old.user_id)
  execute function join_payer();

-- A server that is deleted, or goes to another owner, is paid by nobody else from then on.
create function leave_payer() returns trigger language plpgsql as $$
declare
  actor text := current_setting('app.actor', true);
begin
  perform set_config('app.actor', 'system', true);
  delete from host_payers where host_id = old.id;
  delete from requested_hosts where host_id = old.id;
  perform set_config('app.actor', actor, true);
  return new;
end $$;
create trigger leaves_payer before update of user_id, deleted_at on hosts for each row
  when (new.user_id <> old.user_id or (new.deleted_at is not null and old.deleted_at is null))
  execute function leave_payer();

-- Credits for what another account has paid are that account's: the payer of an agreement, or a former owner.
create function begin_credit(credited uuid) returns void language plpgsql as $$
begin
  if not exists (
    select from licence_orders o join hosts h on h.id = o.host_id
    where o.transaction_id = credited and coalesce(o.payer_id, o.user_id) <> h.user_id and actor_owns(h.user_id)) then
    raise exception 'transaction % did not pay for a server of this account', credited using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.actor', 'system', true);
end $$;

-- An agreement that waits for a charge to end is over when the charge is: the beginning of its transaction would be before it, and say
-- that something was charged after the end.
create function end_agreement(ended uuid, ending text, side text, keeps_renewing boolean)
  returns setof bigint language plpgsql as $$
declare
  actor text := current_setting('app.actor', true);
begin
  if not exists (select from payment_agreements a where a.id = ended and (actor_owns(a.owner_id) or actor_owns(a.payer_id))) then
    raise exception 'agreement % is not of %', ended, actor using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.actor', 'system', true);
  update hosts h set auto_renew = false from host_payers p
    where p.agreement_id = ended and p.host_id = h.id and h.auto_renew and not keeps_renewing;
  delete from requested_hosts where agreement_id = ended;
  return query delete from host_payers where agreement_id = ended returning host_id;
  update payment_agreements a set state = ending, ended_at = clock_timestamp(), version = version + 1,
    ended_by = case ending when 'ended' then side end where a.id = ended;
  perform set_config('app.actor', actor, true);
end $$;

-- Locks the agreements that pay for these servers, and returns the payers as they are after the wait.
create function lock_payers(of_hosts bigint[])
  returns table(host_id bigint, agreement_id uuid, payer_id uuid, pays text, month_limit bigint) language plpgsql as $$
#variable_conflict use_column
begin
  perform from payment_agreements a
    where a.id in (select p.agreement_id from host_payers p where p.host_id = any(of_hosts)) order by a.id for update;
  return query select p.host_id, p.agreement_id, a.payer_id, a.pays, a.month_limit
    from host_payers p join payment_agreements a on a.id = p.agreement_id where p.host_id = any(of_hosts);
end $$;

-- Lets the owner of a server spend the money of its payer, to the end of the transaction and by an agreement that is active.
create function pay_for(agreement uuid, host bigint) returns void language plpgsql as $$
declare
  payer uuid;
begin
  select a.payer_id into payer from host_payers p join payment_agreements a on a.id = p.agreement_id
    where p.host_id = host and p.agreement_id = agreement and a.state = 'active' and actor_owns(p.user_id);
  if payer is null then
    raise exception 'agreement % does not pay for host %', agreement, host using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.payer', payer::text, true);
end $$;

-- A refund counts once, however many orders its charge has paid.
create function spent_by_agreement(agreement uuid) returns bigint language sql stable as $$
  with month as (select date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' as begins),
  paid as (select distinct transaction_id from licence_orders where agreement_id = agreement)
  select greatest(0, coalesce((
      select sum(o.total) from licence_orders o, month where o.agreement_id = agreement and o.ordered_at >= month.begins), 0)
    - coalesce((
      select sum(e.amount) from paid p join transactions t on t.reverses = p.transaction_id
        join entries e on e.transaction_id = t.id and e.of_customer, month
      where t.created_at >= month.begins), 0))::bigint
$$;
