-- Payment owners: which account pays for whose servers (docs/decisions/105). Owned by features/payers.
create table payment_agreements (
  id uuid primary key default gen_random_uuid(),
  -- Of an open offer one side is known: the one that asked.
  owner_id uuid references users on delete cascade,
  payer_id uuid references users on delete cascade,
  asked_by text not null check (asked_by in ('owner', 'payer')),
  -- The other side as it was asked, in the one form of foundation/email-address.ts; null once it is erased.
  email text check (email = lower(email) and length(email) <= 254),
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
  unique (owner_id, id, state),
  check (owner_id <> payer_id),
  check (case asked_by when 'owner' then owner_id else payer_id end is not null),
  check (accepted_at is null or (owner_id is not null and payer_id is not null)),
  check (state not in ('active', 'offered') or (accepted_at is not null) = (state = 'active')),
  check ((ended_at is null) = (state in ('offered', 'active'))),
  check ((ended_by is null) = (state <> 'ended'))
);
create unique index one_active_agreement on payment_agreements (owner_id, payer_id) where state = 'active';
-- All servers, also those to come, have one payer.
create unique index one_payer_of_all on payment_agreements (owner_id) where state = 'active' and all_hosts;
create unique index one_open_request on payment_agreements (owner_id, email) where state = 'offered' and asked_by = 'owner';
create unique index one_open_offer on payment_agreements (payer_id, email) where state = 'offered' and asked_by = 'payer';
create index agreements_of_payer on payment_agreements (payer_id) where payer_id is not null;
create index agreements_by_email on payment_agreements (email) where state = 'offered';
create index open_agreements_by_end on payment_agreements (expires_at) where state = 'offered';
create index ended_agreements on payment_agreements (ended_at) where ended_at is not null;
select allow_app('payment_agreements', 'select, insert, update, delete');
alter table payment_agreements enable row level security;
alter table payment_agreements force row level security;
create policy readable on payment_agreements for select using (true);
create policy asked_by_a_side on payment_agreements for insert
  with check (state = 'offered' and actor_owns(case asked_by when 'owner' then owner_id else payer_id end));
create policy changed_by_a_side on payment_agreements for update
  using (actor_owns(owner_id) or actor_owns(payer_id)) with check (actor_owns(owner_id) or actor_owns(payer_id));
-- An agreement that was active stays, because charges refer to it.
create policy forgotten_by_the_system on payment_agreements for delete
  using (current_setting('app.actor', true) = 'system' and accepted_at is null);

-- The payment owner of a server: one at most, and only by an agreement that is active. The state stands here for the reference, which
-- refuses the end of an agreement while a server names it.
create table host_payers (
  host_id bigint primary key,
  user_id uuid not null,
  agreement_id uuid not null,
  state text not null default 'active' check (state = 'active'),
  created_at timestamptz not null default now(),
  foreign key (user_id, host_id) references hosts (user_id, id) on delete cascade,
  foreign key (user_id, agreement_id, state) references payment_agreements (owner_id, id, state) on delete cascade
);
create index hosts_of_agreement on host_payers (agreement_id, host_id);
create index host_payers_of_owner on host_payers (user_id, host_id);
select allow_app('host_payers', 'select, insert, delete');
select protect_rows('host_payers', 'user_id');

-- A new server has the payer of all. The agreement is held, so that one that ends at the same time is waited for.
create function join_payer() returns trigger
language plpgsql as $$
begin
  insert into host_payers (host_id, user_id, agreement_id)
    select new.id, new.user_id, a.id from payment_agreements a
    where a.owner_id = new.user_id and a.state = 'active' and a.all_hosts for share;
  return new;
end $$;
create trigger joins_payer after insert on hosts for each row execute function join_payer();

-- The servers that an owner asks somebody to pay for, until the payer has agreed.
create table requested_hosts (
  agreement_id uuid not null references payment_agreements on delete cascade,
  host_id bigint not null,
  user_id uuid not null,
  primary key (agreement_id, host_id),
  foreign key (user_id, host_id) references hosts (user_id, id) on delete cascade
);
create index requested_hosts_of_owner on requested_hosts (user_id, host_id);
select allow_app('requested_hosts', 'select, insert, delete');
select protect_rows('requested_hosts', 'user_id');

-- Ends an agreement, or an offer, whose row and whose servers are locked, for the side that writes. Nobody is charged who did not ask to be:
-- the automatic renewal of its servers goes off, unless the owner said that their own balance pays. The payer may not write the owner's
-- rows otherwise, so this one step is the system's.
create function end_agreement(ended uuid, ending text, side text, keeps_renewing boolean) returns setof bigint
language plpgsql as $$
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
  update payment_agreements a set state = ending, ended_at = now(), version = version + 1,
    ended_by = case ending when 'ended' then side end where a.id = ended;
  perform set_config('app.actor', actor, true);
end $$;

-- A server that is deleted, or goes to another owner, is paid by nobody else from then on.
create function leave_payer() returns trigger
language plpgsql as $$
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
  when (new.user_id <> old.user_id or (new.deleted_at is not null and old.deleted_at is null)) execute function leave_payer();
