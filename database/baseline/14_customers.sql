create table customer_blocks (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  level text not null check (level in ('none', 'blocked', 'locked')),
  cause text check (cause in ('fraud', 'payment', 'terms', 'stolen')),
  -- For staff.
  reason text not null check (length(reason) >= 1 and length(reason) <= 800),
  -- For the customer.
  message text not null check (length(message) <= 2000),
  -- A member of staff; null for the command line.
  by uuid references users on delete set null,
  -- Written with the account locked: in the order of the commits, which the starts of transactions are not.
  at timestamptz not null default clock_timestamp(),
  check ((level = 'none') = (cause is null))
);
create index customer_blocks_of_user on customer_blocks (user_id, at);
select allow_app('customer_blocks', 'select, insert');
select protect_rows('customer_blocks', 'user_id');

select append_only('customer_blocks');

create table customer_notes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  author_id uuid references users on delete set null,
  text text not null check (length(text) >= 1 and length(text) <= 40000),
  pinned boolean not null default false,
  created_at timestamptz not null default now(),
  version integer not null default 1
);
create index customer_notes_of_user on customer_notes (user_id, pinned, created_at);
select allow_app('customer_notes', 'select, insert, update, delete');
select protect_rows('customer_notes', 'user_id');

create trigger count_edit before update on customer_notes for each row execute function count_edit();

-- Second factors that staff are asked to take away, because their owner has lost them.
create table factor_resets (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  reason text not null check (length(reason) >= 1 and length(reason) <= 800),
  by uuid references users on delete set null,
  requested_at timestamptz not null default now(),
  due_at timestamptz not null,
  warned_at timestamptz,
  ended_at timestamptz,
  -- SHA-256 of the keys in its mails, each of which stops it.
  token_hashes bytea[] not null,
  status text not null default 'requested' check (status in ('requested', 'vetoed', 'cancelled', 'done')),
  new_email text check (length(new_email) >= 3 and length(new_email) <= 254),
  -- How the member of staff made sure who asks.
  identity text check (length(identity) >= 1 and length(identity) <= 800),
  check ((status = 'requested') = (ended_at is null)),
  constraint factor_resets_move check ((new_email is null) = (identity is null))
);
create index factor_resets_by_key on factor_resets using gin (token_hashes) where status = 'requested';
create index factor_resets_due on factor_resets (due_at) where status = 'requested';
create index factor_resets_of_user on factor_resets (user_id);
-- One at a time.
create unique index factor_resets_open on factor_resets (user_id) where status = 'requested';
select allow_app('factor_resets', 'select, insert, update');
select protect_rows('factor_resets', 'user_id');

-- The list of customers (docs/decisions/070). A scalar with a limit is asked for the rows of a page only, while PostgreSQL turns an
-- `exists` into a table of everybody.
create view customer_list with (security_invoker) as
select u.id as user_id, u.email, u.created_at, u.last_login_at, u.is_staff, p.name, p.middle_name, p.surname, p.company, p.country,
  b.currency, b.balance,
  coalesce((select true from email_addresses e where e.user_id = u.id and e.verified_at is not null limit 1), false) as is_proven,
  (select count(*)::int from hosts h where h.user_id = u.id and h.deleted_at is null) as hosts,
  (select count(*)::int from tickets t where t.user_id = u.id and t.status <> 'closed') as open_tickets,
  u.access
from users u join profiles p on p.user_id = u.id left join balances b on b.user_id = u.id
where u.is_active;
select allow_app('customer_list', 'select');

-- Accounts without a proven address, who are few: those that claim one, and those that lost theirs to the account that proved it.
create view unproven_accounts with (security_invoker) as
select claims.user_id
from (
  select user_id from email_addresses where verified_at is null
  union select id from users where email like '%@unproven.invalid'
) claims
where not exists (select from email_addresses e where e.user_id = claims.user_id and e.verified_at is not null);
select allow_app('unproven_accounts', 'select');
