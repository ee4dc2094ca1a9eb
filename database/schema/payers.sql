-- The tables of features/payers with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- The payment owner of a server: one at most, and only by an agreement that is active. The state stands here for the reference, which
-- refuses the end of an agreement while a server names it.
create table host_payers (
  host_id bigint not null,
  user_id uuid not null,
  agreement_id uuid not null,
  state text default 'active'::text not null,
  created_at timestamp with time zone default now() not null,
  constraint host_payers_pkey primary key (host_id),
  constraint host_payers_user_id_agreement_id_state_fkey foreign key (user_id, agreement_id, state) references payment_agreements(owner_id, id, state) on delete cascade,
  constraint host_payers_user_id_host_id_fkey foreign key (user_id, host_id) references hosts(user_id, id) on delete cascade,
  constraint host_payers_state_check check (state = 'active'::text)
);
create index host_payers_of_owner on host_payers (user_id, host_id);
create index hosts_of_agreement on host_payers (agreement_id, host_id);
grant delete, insert, select on host_payers to hostdesk_app;
alter table host_payers enable row level security;
alter table host_payers force row level security;
create policy deleted_by_owner on host_payers for delete using (actor_owns(user_id));
create policy inserted_by_owner on host_payers for insert with check (actor_owns(user_id));
create policy readable on host_payers for select using (true);
create policy updated_by_owner on host_payers for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- Payment owners: which account pays for whose servers (docs/decisions/106).
create table payment_agreements (
  id uuid default gen_random_uuid() not null,
  -- Of an open offer one side is known: the one that asked.
  owner_id uuid,
  payer_id uuid,
  asked_by text not null,
  -- The other side as it was asked, in the one form of foundation/email-address.ts; null once it is erased.
  email text,
  all_hosts boolean not null,
  -- Automatic renewals only, or each order for the servers.
  pays text not null,
  -- In minor units for a calendar month (UTC); without it the balance is the limit.
  month_limit bigint,
  state text default 'offered'::text not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone default now() + '14 days'::interval not null,
  accepted_at timestamp with time zone,
  ended_at timestamp with time zone,
  ended_by text,
  constraint payment_agreements_pkey primary key (id),
  constraint payment_agreements_owner_id_id_state_key unique (owner_id, id, state),
  constraint payment_agreements_owner_id_fkey foreign key (owner_id) references users(id) on delete cascade,
  constraint payment_agreements_payer_id_fkey foreign key (payer_id) references users(id) on delete cascade,
  constraint payment_agreements_asked_by_check check (asked_by = any (array['owner'::text, 'payer'::text])),
  constraint payment_agreements_check check (owner_id <> payer_id),
  constraint payment_agreements_check1 check ( case asked_by when 'owner'::text then owner_id else payer_id end is not null),
  constraint payment_agreements_check2 check (accepted_at is null or owner_id is not null and payer_id is not null),
  constraint payment_agreements_check3 check ((state <> all (array['active'::text, 'offered'::text])) or (accepted_at is not null) = (state = 'active'::text)),
  constraint payment_agreements_check4 check ((ended_at is null) = (state = any (array['offered'::text, 'active'::text]))),
  constraint payment_agreements_check5 check ((ended_by is null) = (state <> 'ended'::text)),
  constraint payment_agreements_email_check check (email = lower(email) and length(email) <= 254),
  constraint payment_agreements_ended_by_check check (ended_by = any (array['owner'::text, 'payer'::text, 'system'::text])),
  constraint payment_agreements_month_limit_check check (month_limit > 0),
  constraint payment_agreements_pays_check check (pays = any (array['renewals'::text, 'all'::text])),
  constraint payment_agreements_state_check check (state = any (array['offered'::text, 'active'::text, 'declined'::text, 'ended'::text, 'expired'::text]))
);
create index agreements_by_email on payment_agreements (email) where state = 'offered'::text;
create index agreements_of_payer on payment_agreements (payer_id) where payer_id is not null;
create index ended_agreements on payment_agreements (ended_at) where ended_at is not null;
create unique index one_active_agreement on payment_agreements (owner_id, payer_id) where state = 'active'::text;
create unique index one_open_offer on payment_agreements (payer_id, email) where state = 'offered'::text and asked_by = 'payer'::text;
create unique index one_open_request on payment_agreements (owner_id, email) where state = 'offered'::text and asked_by = 'owner'::text;
create unique index one_payer_of_all on payment_agreements (owner_id) where state = 'active'::text and all_hosts;
create index open_agreements_by_end on payment_agreements (expires_at) where state = 'offered'::text;
grant delete, insert, select, update on payment_agreements to hostdesk_app;
alter table payment_agreements enable row level security;
alter table payment_agreements force row level security;
create policy asked_by_a_side on payment_agreements for insert with check (state = 'offered'::text and actor_owns(
case asked_by
    when 'owner'::text then owner_id
    else payer_id
end));
create policy changed_by_a_side on payment_agreements for update using (actor_owns(owner_id) or actor_owns(payer_id)) with check (actor_owns(owner_id) or actor_owns(payer_id));
create policy forgotten_by_the_system on payment_agreements for delete using (current_setting('app.actor'::text, true) = 'system'::text and accepted_at is null);
create policy readable on payment_agreements for select using (true);

-- The servers that an owner asks somebody to pay for, until the payer has agreed.
create table requested_hosts (
  agreement_id uuid not null,
  host_id bigint not null,
  user_id uuid not null,
  constraint requested_hosts_pkey primary key (agreement_id, host_id),
  constraint requested_hosts_agreement_id_fkey foreign key (agreement_id) references payment_agreements(id) on delete cascade,
  constraint requested_hosts_user_id_host_id_fkey foreign key (user_id, host_id) references hosts(user_id, id) on delete cascade
);
create index requested_hosts_of_owner on requested_hosts (user_id, host_id);
grant delete, insert, select on requested_hosts to hostdesk_app;
alter table requested_hosts enable row level security;
alter table requested_hosts force row level security;
create policy deleted_by_owner on requested_hosts for delete using (actor_owns(user_id));
create policy inserted_by_owner on requested_hosts for insert with check (actor_owns(user_id));
create policy readable on requested_hosts for select using (true);
create policy updated_by_owner on requested_hosts for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- True for two accounts of which one helps the other, directly or over a helper who passes it on, or pays for the other's servers. What
-- has ended counts for 90 days more: it could be ended for the act and agreed again. An invitation that nobody accepted ties nobody.
create function are_tied(one uuid, other uuid)
 returns boolean
 language sql
 stable
as $$
  select exists (
    select from account_grants g
    where (g.owner_id, g.grantee_id) in ((one, other), (other, one)) and g.accepted_at is not null
      and (g.state = 'active' or g.ended_at > now() - interval '90 days')
  ) or exists (select from ways_to_act(one, other)) or exists (select from ways_to_act(other, one))
  or exists (
    select from payment_agreements a
    where (a.owner_id, a.payer_id) in ((one, other), (other, one)) and a.accepted_at is not null
      and (a.state = 'active' or a.ended_at > now() - interval '90 days'))
$$;

-- An agreement that waits for a charge to end is over when the charge is: the beginning of its transaction would be before it, and say
-- that something was charged after the end.
create function end_agreement(ended uuid, ending text, side text, keeps_renewing boolean)
 returns setof bigint
 language plpgsql
as $$
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

-- A new server has the payer of all. The agreement is locked as by the order that follows: a shared lock, raised by two orders at once, would
-- let them wait for each other.
create function join_payer()
 returns trigger
 language plpgsql
as $$
begin
  insert into host_payers (host_id, user_id, agreement_id)
    select new.id, new.user_id, a.id from payment_agreements a
    where a.owner_id = new.user_id and a.state = 'active' and a.all_hosts for update;
  return new;
end $$;

-- A server that is deleted, or goes to another owner, is paid by nobody else from then on.
create function leave_payer()
 returns trigger
 language plpgsql
as $$
declare
  actor text := current_setting('app.actor', true);
begin
  perform set_config('app.actor', 'system', true);
  delete from host_payers where host_id = old.id;
  delete from requested_hosts where host_id = old.id;
  perform set_config('app.actor', actor, true);
  return new;
end $$;

-- Locks the agreements that pay for these servers, and returns the payers as they are after the wait.
create function lock_payers(of_hosts bigint[])
 returns table(host_id bigint, agreement_id uuid, payer_id uuid, pays text, month_limit bigint)
 language plpgsql
as $$
#variable_conflict use_column
begin
  perform from payment_agreements a
    where a.id in (select p.agreement_id from host_payers p where p.host_id = any(of_hosts)) order by a.id for update;
  return query select p.host_id, p.agreement_id, a.payer_id, a.pays, a.month_limit
    from host_payers p join payment_agreements a on a.id = p.agreement_id where p.host_id = any(of_hosts);
end $$;

-- An order is paid by its owner, or by the payer of its agreement as inner spending and within the limit of the month.
create function order_has_its_payer()
 returns trigger
 language plpgsql
as $$
declare
  paid transactions;
  agreed payment_agreements;
begin
  select * into paid from transactions where id = new.transaction_id;
  if new.payer_id is null then
    if paid.user_id <> new.user_id then
      raise exception 'order % is paid by another account', new.id using errcode = 'check_violation';
    end if;
    return null;
  end if;
  select * into agreed from payment_agreements where id = new.agreement_id for update;
  if (agreed.state, agreed.owner_id, agreed.payer_id) is distinct from ('active', new.user_id, new.payer_id)
    or not exists (select from host_payers where host_id = new.host_id and agreement_id = new.agreement_id)
    or (paid.user_id, paid.type) is distinct from (new.payer_id, 'inner_spending') then
    raise exception 'order % has no agreement that pays for it', new.id using errcode = 'check_violation';
  end if;
  if agreed.month_limit is not null and spent_by_agreement(new.agreement_id) > agreed.month_limit then
    raise exception 'agreement % has reached its limit', new.agreement_id using errcode = 'check_violation';
  end if;
  return null;
end $$;

-- Lets the owner of a server spend the money of its payer, to the end of the transaction and by an agreement that is active.
create function pay_for(agreement uuid, host bigint)
 returns void
 language plpgsql
as $$
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
