-- Accounts that staff have blocked (they may not buy) or locked (nobody may sign in), and the history of it. Read with the
-- session, so that it counts at the next call.
alter table users
  add column access text not null default 'open' constraint access_is_known check (access in ('open', 'blocked', 'locked')),
  -- The customer reads this text.
  add column access_message text not null default '' check (length(access_message) <= 2000);

-- Written by `system` only: the attack is a statement that writes a customer's own row with fields that they chose.
create function keep_access() returns trigger language plpgsql as $$
begin
  if current_setting('app.actor', true) is distinct from 'system' then
    raise exception 'access is given by the system only' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger keep_access before update of access on users for each row
  when (new.access is distinct from old.access) execute function keep_access();

create table customer_blocks (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  level text not null check (level in ('none', 'blocked', 'locked')),
  cause text check (cause in ('fraud', 'payment', 'terms', 'stolen')),
  -- For staff.
  reason text not null check (length(reason) between 1 and 800),
  -- For the customer.
  message text not null check (length(message) <= 2000),
  -- A member of staff; null for the command line.
  by uuid references users on delete set null,
  -- Written with the account locked: in the order of the commits, which the starts of transactions are not.
  at timestamptz not null default clock_timestamp(),
  check ((level = 'none') = (cause is null))
);
create index customer_blocks_of_user on customer_blocks (user_id, at);
create trigger customer_blocks_are_append_only before update or delete on customer_blocks
  for each row execute function refuse_change();
create trigger customer_blocks_are_not_truncated before truncate on customer_blocks
  for each statement execute function refuse_change();
select allow_app('customer_blocks', 'select, insert');
select protect_rows('customer_blocks', 'user_id');

create or replace view customer_list with (security_invoker = true) as
select u.id as user_id, u.email, u.created_at, u.last_login_at, u.is_staff, p.name, p.middle_name, p.surname, p.company, p.country,
  b.currency, b.balance,
  exists (select from email_addresses e where e.user_id = u.id and e.verified_at is not null) as is_proven,
  (select count(*)::int from hosts h where h.user_id = u.id and h.deleted_at is null) as hosts,
  (select count(*)::int from tickets t where t.user_id = u.id and t.status <> 'closed') as open_tickets,
  u.access
from users u join profiles p on p.user_id = u.id left join balances b on b.user_id = u.id
where u.is_active;
