-- The tables of features/customers with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- Accounts that became one: what went to the account that stays, so that it can go back for some days.
create table account_merges (
  id uuid default gen_random_uuid() not null,
  -- The account that is merged, and is locked from then on.
  user_id uuid not null,
  -- The account that stays.
  into_id uuid not null,
  reason text not null,
  merged_at timestamp with time zone default clock_timestamp() not null,
  host_ids bigint[] not null,
  ticket_ids bigint[] not null,
  -- The bookings that moved the balance, by features/finance.
  money jsonb not null,
  undone_at timestamp with time zone,
  constraint account_merges_pkey primary key (id),
  constraint account_merges_into_id_fkey foreign key (into_id) references users(id),
  constraint account_merges_user_id_fkey foreign key (user_id) references users(id),
  constraint account_merges_check check (user_id <> into_id),
  constraint account_merges_reason_check check (length(reason) >= 1 and length(reason) <= 800)
);
create index account_merges_into on account_merges (into_id) where undone_at is null;
create unique index account_merges_open on account_merges (user_id) where undone_at is null;
grant insert, select on account_merges to hostdesk_app;
alter table account_merges enable row level security;
alter table account_merges force row level security;
create policy deleted_by_owner on account_merges for delete using (actor_owns(user_id));
create policy inserted_by_owner on account_merges for insert with check (actor_owns(user_id));
create policy readable on account_merges for select using (true);
create policy updated_by_owner on account_merges for update using (actor_owns(user_id)) with check (actor_owns(user_id));

create table customer_blocks (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  level text not null,
  cause text,
  -- For staff.
  reason text not null,
  -- For the customer.
  message text not null,
  -- A member of staff; null for the command line.
  by uuid,
  -- Written with the account locked: in the order of the commits, which the starts of transactions are not.
  at timestamp with time zone default clock_timestamp() not null,
  constraint customer_blocks_pkey primary key (id),
  constraint customer_blocks_by_fkey foreign key (by) references users(id) on delete set null,
  constraint customer_blocks_user_id_fkey foreign key (user_id) references users(id),
  constraint customer_blocks_cause_check check (cause = any (array['fraud'::text, 'payment'::text, 'terms'::text, 'stolen'::text])),
  constraint customer_blocks_check check ((level = 'none'::text) = (cause is null)),
  constraint customer_blocks_level_check check (level = any (array['none'::text, 'blocked'::text, 'locked'::text])),
  constraint customer_blocks_message_check check (length(message) <= 2000),
  constraint customer_blocks_reason_check check (length(reason) >= 1 and length(reason) <= 800)
);
create index customer_blocks_of_user on customer_blocks (user_id, at);
grant insert, select on customer_blocks to hostdesk_app;
alter table customer_blocks enable row level security;
alter table customer_blocks force row level security;
create policy deleted_by_owner on customer_blocks for delete using (actor_owns(user_id));
create policy inserted_by_owner on customer_blocks for insert with check (actor_owns(user_id));
create policy readable on customer_blocks for select using (true);
create policy updated_by_owner on customer_blocks for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger customer_blocks_are_append_only before delete or update on customer_blocks for each row execute function refuse_change();
create trigger customer_blocks_are_not_truncated before truncate on customer_blocks for each statement execute function refuse_change();

create table customer_notes (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  author_id uuid,
  text text not null,
  pinned boolean default false not null,
  created_at timestamp with time zone default now() not null,
  version integer default 1 not null,
  constraint customer_notes_pkey primary key (id),
  constraint customer_notes_author_id_fkey foreign key (author_id) references users(id) on delete set null,
  constraint customer_notes_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint customer_notes_text_check check (length(text) >= 1 and length(text) <= 40000)
);
create index customer_notes_of_user on customer_notes (user_id, pinned, created_at);
grant delete, insert, select, update on customer_notes to hostdesk_app;
alter table customer_notes enable row level security;
alter table customer_notes force row level security;
create policy deleted_by_owner on customer_notes for delete using (actor_owns(user_id));
create policy inserted_by_owner on customer_notes for insert with check (actor_owns(user_id));
create policy readable on customer_notes for select using (true);
create policy updated_by_owner on customer_notes for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger count_edit before update on customer_notes for each row execute function count_edit();

-- Second factors that staff are asked to take away, because their owner has lost them.
create table factor_resets (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  reason text not null,
  by uuid,
  requested_at timestamp with time zone default now() not null,
  due_at timestamp with time zone not null,
  warned_at timestamp with time zone,
  ended_at timestamp with time zone,
  -- SHA-256 of the keys in its mails, each of which stops it.
  token_hashes bytea[] not null,
  status text default 'requested'::text not null,
  new_email text,
  -- How the member of staff made sure who asks.
  identity text,
  -- A merge waits as a reset does: every address is mailed a link that stops it.
  merge_into uuid,
  constraint factor_resets_pkey primary key (id),
  constraint factor_resets_by_fkey foreign key (by) references users(id) on delete set null,
  constraint factor_resets_merge_into_fkey foreign key (merge_into) references users(id) on delete cascade,
  constraint factor_resets_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint factor_resets_check check ((status = 'requested'::text) = (ended_at is null)),
  constraint factor_resets_identity_check check (length(identity) >= 1 and length(identity) <= 800),
  constraint factor_resets_move check ((new_email is null) = (identity is null)),
  constraint factor_resets_new_email_check check (length(new_email) >= 3 and length(new_email) <= 254),
  constraint factor_resets_reason_check check (length(reason) >= 1 and length(reason) <= 800),
  constraint factor_resets_status_check check (status = any (array['requested'::text, 'vetoed'::text, 'cancelled'::text, 'done'::text]))
);
create index factor_resets_by_key on factor_resets using gin (token_hashes) where status = 'requested'::text;
create index factor_resets_due on factor_resets (due_at) where status = 'requested'::text;
create index factor_resets_of_user on factor_resets (user_id);
create unique index factor_resets_open on factor_resets (user_id) where status = 'requested'::text;
grant insert, select, update on factor_resets to hostdesk_app;
alter table factor_resets enable row level security;
alter table factor_resets force row level security;
create policy deleted_by_owner on factor_resets for delete using (actor_owns(user_id));
create policy inserted_by_owner on factor_resets for insert with check (actor_owns(user_id));
create policy readable on factor_resets for select using (true);
create policy updated_by_owner on factor_resets for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The list of customers (docs/decisions/070). A scalar with a limit is asked for the rows of a page only, while PostgreSQL turns an
-- `exists` into a table of everybody.
create view customer_list with (security_invoker=true) as
 select u.id as user_id,
    u.email,
    u.created_at,
    u.last_login_at,
    u.is_staff,
    p.name,
    p.middle_name,
    p.surname,
    p.company,
    p.country,
    b.currency,
    b.balance,
    coalesce(( select true
           from email_addresses e
          where e.user_id = u.id and e.verified_at is not null
         limit 1), false) as is_proven,
    ( select count(*)::integer as count
           from hosts h
          where h.user_id = u.id and h.deleted_at is null) as hosts,
    ( select count(*)::integer as count
           from tickets t
          where t.user_id = u.id and t.status <> 'closed'::text) as open_tickets,
    u.access
   from users u
     join profiles p on p.user_id = u.id
     left join balances b on b.user_id = u.id
  where u.is_active;
grant select on customer_list to hostdesk_app;

-- Accounts without a proven address, who are few: those that claim one, and those that lost theirs to the account that proved it.
create view unproven_accounts with (security_invoker=true) as
 select user_id
   from ( select email_addresses.user_id
           from email_addresses
          where email_addresses.verified_at is null
        union
         select users.id
           from users
          where users.email ~~ '%@unproven.invalid'::text) claims
  where not (exists ( select
           from email_addresses e
          where e.user_id = claims.user_id and e.verified_at is not null));
grant select on unproven_accounts to hostdesk_app;

-- The accounts to which any of these tickets belongs or, before a merge of accounts or its undoing, belonged.
create function owners_of_tickets(ids bigint[])
 returns setof uuid
 language sql
 stable
as $$
  select user_id from tickets where id = any (ids)
  union select unnest(array[user_id, into_id]) from account_merges where ticket_ids && ids
$$;
