-- The tables of features/banking with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

create table bank_files (
  id uuid default gen_random_uuid() not null,
  sha256 bytea not null,
  account_iban text not null,
  statement_id text not null,
  opened_on date,
  closed_on date,
  opening bigint,
  closing bigint,
  currency text not null,
  imported_by uuid,
  imported_at timestamp with time zone default now() not null,
  -- The form of the statement.
  kind text not null,
  -- The number of the page, of a statement that the bank sends in pages.
  page integer,
  constraint bank_files_pkey primary key (id),
  constraint bank_files_sha256_key unique (sha256),
  constraint bank_files_imported_by_fkey foreign key (imported_by) references users(id) on delete set null,
  constraint bank_files_kind_check check (kind = any (array['camt.052'::text, 'camt.053'::text, 'camt.054'::text, 'csv'::text]))
);
create index bank_files_by_time on bank_files (imported_at, id);
grant insert, select on bank_files to hostdesk_app;
alter table bank_files enable row level security;
alter table bank_files force row level security;
create policy deleted_by_owner on bank_files for delete using (actor_owns(imported_by));
create policy inserted_by_owner on bank_files for insert with check (actor_owns(imported_by));
create policy readable on bank_files for select using (true);
create policy updated_by_owner on bank_files for update using (actor_owns(imported_by)) with check (actor_owns(imported_by));
create trigger refuse_delete before delete on bank_files for each row execute function refuse_change();

create table bank_lines (
  id uuid default gen_random_uuid() not null,
  file_id uuid not null,
  account_iban text not null,
  booked_on date not null,
  -- Minor units, negative where the money left.
  amount bigint not null,
  currency text not null,
  name text not null,
  iban text not null,
  text text not null,
  end_to_end text not null,
  -- The key tells payments apart; nth numbers equal ones within a statement.
  key bytea not null,
  nth integer not null,
  match text not null,
  cause text,
  top_up text,
  user_id uuid,
  state text default 'open'::text not null,
  -- How often it was booked: the name of its payment event.
  bookings integer default 0 not null,
  transaction_id uuid,
  -- Its line in the statement.
  place integer not null,
  -- An earlier payment that this one probably repeats.
  same_as uuid,
  -- The bank's reference of the entry; empty if it says nothing.
  bank_ref text default ''::text not null,
  -- The amount of the whole entry, of a payment that is a part of a batch.
  batch_amount bigint,
  constraint bank_lines_pkey primary key (id),
  constraint bank_lines_account_iban_key_nth_key unique (account_iban, key, nth),
  constraint bank_lines_file_id_fkey foreign key (file_id) references bank_files(id),
  constraint bank_lines_same_as_fkey foreign key (same_as) references bank_lines(id),
  constraint bank_lines_top_up_fkey foreign key (top_up) references top_ups(public_id),
  constraint bank_lines_transaction_id_fkey foreign key (transaction_id) references transactions(id),
  constraint bank_lines_user_id_fkey foreign key (user_id) references users(id) on delete set null,
  constraint bank_lines_amount_check check (amount <> 0),
  constraint bank_lines_cause_check check (cause = any (array['amount_differs'::text, 'paid_before'::text, 'several_references'::text, 'near_reference'::text, 'known_payer'::text, 'return'::text, 'duplicate'::text, 'batch_not_split'::text, 'came_in_parts'::text])),
  constraint bank_lines_check check ((match = 'ambiguous'::text) = (cause is not null)),
  constraint bank_lines_match_check check (match = any (array['exact'::text, 'ambiguous'::text, 'unknown'::text])),
  constraint bank_lines_place_check check (place > 0),
  constraint bank_lines_state_check check (state = any (array['open'::text, 'booked'::text, 'ignored'::text]))
);
create index bank_lines_by_amount on bank_lines (state, amount, id);
create index bank_lines_by_day on bank_lines (account_iban, booked_on, amount);
create index bank_lines_by_iban_end on bank_lines (reverse(iban) text_pattern_ops) where state = 'booked'::text and iban <> ''::text;
create index bank_lines_by_payer on bank_lines (iban, booked_on) where state = 'booked'::text;
create index bank_lines_by_search_part on bank_lines using gin (search_parts_of((((name || ' '::text) || iban) || ' '::text) || text));
create index bank_lines_by_state on bank_lines (state, booked_on, id);
create index bank_lines_in_order on bank_lines (state, match, booked_on, id);
create index bank_lines_of_batch on bank_lines (account_iban, booked_on, batch_amount) where batch_amount is not null;
create index bank_lines_of_file on bank_lines (file_id);
create index bank_lines_of_top_up on bank_lines (top_up) where top_up is not null;
create index bank_lines_of_user on bank_lines (user_id) where user_id is not null;
grant insert, select, update on bank_lines to hostdesk_app;
alter table bank_lines enable row level security;
alter table bank_lines force row level security;
create policy deleted_by_owner on bank_lines for delete using (actor_owns(user_id));
create policy inserted_by_owner on bank_lines for insert with check (actor_owns(user_id));
create policy readable on bank_lines for select using (true);
create policy updated_by_owner on bank_lines for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger keep_bank_line before update on bank_lines for each row execute function keep_bank_line();
create trigger refuse_delete before delete on bank_lines for each row execute function refuse_change();

-- The columns that the bank sent never change; those that say how a payment was booked may.
create function keep_bank_line()
 returns trigger
 language plpgsql
as $$
begin
  if (new.id, new.file_id, new.account_iban, new.booked_on, new.amount, new.currency, new.name, new.iban, new.text, new.end_to_end,
      new.key, new.nth, new.bank_ref, new.batch_amount)
    is distinct from (old.id, old.file_id, old.account_iban, old.booked_on, old.amount, old.currency, old.name, old.iban, old.text,
      old.end_to_end, old.key, old.nth, old.bank_ref, old.batch_amount) then
    raise exception 'what the bank sent does not change' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

create table bank_odd_parts (
  id uuid default gen_random_uuid() not null,
  -- The file, and its name as it was sent.
  sha256 bytea not null,
  file_name text not null,
  kind text not null,
  reason text not null,
  source text not null,
  place integer,
  shown text not null,
  -- The key tells odd parts apart: a part that several files have is on the list once.
  key bytea not null,
  -- In whole milliseconds, as the list names its places.
  noticed_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  state text default 'open'::text not null,
  done_by uuid,
  done_at timestamp with time zone,
  constraint bank_odd_parts_pkey primary key (id),
  constraint bank_odd_parts_key_key unique (key),
  constraint bank_odd_parts_done_by_fkey foreign key (done_by) references users(id) on delete set null,
  constraint bank_odd_parts_check check ((state = 'done'::text) = (done_at is not null)),
  constraint bank_odd_parts_kind_check check (kind = any (array['entry'::text, 'row'::text, 'statement'::text, 'file'::text])),
  constraint bank_odd_parts_reason_check check (reason ~ '^[a-z_]{1,60}$'::text),
  constraint bank_odd_parts_state_check check (state = any (array['open'::text, 'done'::text]))
);
create index bank_odd_parts_by_time on bank_odd_parts (state, noticed_at, id);
grant insert, select, update on bank_odd_parts to hostdesk_app;
alter table bank_odd_parts enable row level security;
alter table bank_odd_parts force row level security;
create policy deleted_by_owner on bank_odd_parts for delete using (actor_owns(done_by));
create policy inserted_by_owner on bank_odd_parts for insert with check (actor_owns(done_by));
create policy readable on bank_odd_parts for select using (true);
create policy updated_by_owner on bank_odd_parts for update using (actor_owns(done_by)) with check (actor_owns(done_by));
create trigger refuse_delete before delete on bank_odd_parts for each row execute function refuse_change();

create table bank_originals (
  id uuid default gen_random_uuid() not null,
  sha256 bytea not null,
  name text not null,
  -- Packed with gzip.
  content bytea not null,
  -- How the bank writes its CSV, of a file that is CSV.
  form jsonb,
  kept_by uuid,
  kept_at timestamp with time zone default now() not null,
  constraint bank_originals_pkey primary key (id),
  constraint bank_originals_sha256_form_key unique nulls not distinct (sha256, form),
  constraint bank_originals_kept_by_fkey foreign key (kept_by) references users(id) on delete set null
);
create index bank_originals_by_time on bank_originals (kept_at, id);
grant insert, select on bank_originals to hostdesk_app;
alter table bank_originals enable row level security;
alter table bank_originals force row level security;
create policy deleted_by_owner on bank_originals for delete using (actor_owns(kept_by));
create policy inserted_by_owner on bank_originals for insert with check (actor_owns(kept_by));
create policy readable on bank_originals for select using (true);
create policy updated_by_owner on bank_originals for update using (actor_owns(kept_by)) with check (actor_owns(kept_by));
create trigger refuse_delete before delete on bank_originals for each row execute function refuse_change();

-- How banks write their CSV statements, as staff described it once.
create table bank_profiles (
  id uuid default gen_random_uuid() not null,
  name text not null,
  form jsonb not null,
  made_by uuid,
  created_at timestamp with time zone default now() not null,
  constraint bank_profiles_pkey primary key (id),
  constraint bank_profiles_name_key unique (name),
  constraint bank_profiles_made_by_fkey foreign key (made_by) references users(id) on delete set null,
  constraint bank_profiles_name_check check (length(name) >= 1 and length(name) <= 400)
);
grant delete, insert, select on bank_profiles to hostdesk_app;
alter table bank_profiles enable row level security;
alter table bank_profiles force row level security;
create policy deleted_by_owner on bank_profiles for delete using (actor_owns(made_by));
create policy inserted_by_owner on bank_profiles for insert with check (actor_owns(made_by));
create policy readable on bank_profiles for select using (true);
create policy updated_by_owner on bank_profiles for update using (actor_owns(made_by)) with check (actor_owns(made_by));

-- The customers whose booked payments came from, or went back to, an account whose IBAN ends so. The end is a range and not a pattern: a
-- generic plan cannot use the index bank_lines_by_iban_end for a pattern.
create function payers_by_iban(ending text, most bigint)
 returns table(user_id uuid, iban text)
 language sql
 stable
as $$
  select distinct l.user_id, l.iban from bank_lines l
  where l.state = 'booked' and l.iban <> '' and l.user_id is not null
    and reverse(l.iban) ~>=~ reverse(ending) and reverse(l.iban) ~<~ (reverse(ending) || U&'\+10FFFF')
  limit most
$$;

-- True for two accounts with a payment from, or back to, one bank account: a fact that suggests that both are one person.
create function share_iban(one uuid, other uuid)
 returns boolean
 language sql
 stable
as $$
  select exists (
    select from bank_lines a join bank_lines b on b.iban = a.iban
    where a.user_id = one and b.user_id = other and a.state = 'booked' and b.state = 'booked' and a.iban <> '')
$$;
