-- Actions of staff that a second member confirms, and what each member did alone. Owned by foundation/server/approvals.

-- Amounts that count against a member's allowance. Their sum is read under the lock allowance:<user>; rows are never corrected.
create table allowance_uses (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  act text not null,
  -- Minor units.
  amount bigint not null check (amount > 0),
  at timestamptz not null default now()
);
create index allowance_uses_of_member on allowance_uses (user_id, act, at);
create trigger allowance_uses_are_append_only before update or delete on allowance_uses
  for each row execute function refuse_change();
create trigger allowance_uses_are_not_truncated before truncate on allowance_uses
  for each statement execute function refuse_change();
select allow_app('allowance_uses', 'select, insert');
select protect_rows('allowance_uses', 'user_id');

create table approvals (
  id uuid primary key default gen_random_uuid(),
  -- The name of the permission that the action needs.
  act text not null,
  customer_id uuid references users,
  amount bigint check (amount > 0),
  -- The input of the action, besides customer, amount and reason.
  input jsonb not null,
  why text not null check (why in ('allowance', 'day', 'linked', 'always')),
  -- The facts that the member who asks shares with the customer, as they were then.
  links text[] not null default '{}',
  reason text not null,
  proposed_by uuid not null references users,
  -- Whole milliseconds, which cursors hold.
  proposed_at timestamptz not null default date_trunc('milliseconds', now()),
  expires_at timestamptz not null,
  status text not null default 'proposed'
    check (status in ('proposed', 'approved', 'failed', 'refused', 'withdrawn', 'expired')),
  decided_by uuid references users check (decided_by <> proposed_by),
  decided_at timestamptz,
  note text,
  result jsonb,
  -- The code by which the action's own rules refused it.
  failure text,
  check ((status = 'proposed') = (decided_at is null)),
  check ((status in ('approved', 'failed', 'refused')) = (decided_by is not null)),
  check ((status = 'failed') = (failure is not null))
);
create unique index approval_proposed_once on approvals (act, customer_id, amount, md5(input::text)) nulls not distinct
  where status = 'proposed';
create index approvals_waiting_first on approvals ((status = 'proposed'), proposed_at, id);
create index approvals_of_proposer on approvals (proposed_by, proposed_at);
create index approvals_of_customer on approvals (customer_id);

-- A row leaves `proposed` once, and nothing else of it ever changes: two who decide at once meet here at the latest.
create function guard_approval() returns trigger language plpgsql as $$
begin
  if old.status <> 'proposed' or new.status = 'proposed' then
    raise exception 'an approval is decided once' using errcode = 'restrict_violation';
  end if;
  if (new.id, new.act, new.customer_id, new.amount, new.input, new.why, new.links, new.reason, new.proposed_by, new.proposed_at,
    new.expires_at) is distinct from (old.id, old.act, old.customer_id, old.amount, old.input, old.why, old.links, old.reason,
    old.proposed_by, old.proposed_at, old.expires_at)
  then
    raise exception 'a proposal does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger approvals_are_decided_once before update on approvals for each row execute function guard_approval();
create trigger approvals_are_kept before delete on approvals for each row execute function refuse_change();
create trigger approvals_are_not_truncated before truncate on approvals for each statement execute function refuse_change();
select allow_app('approvals', 'select, insert, update (status, decided_by, decided_at, note, result, failure)');
select protect_rows('approvals', 'customer_id');
