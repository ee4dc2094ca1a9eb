-- The tables of features/payouts with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- A bank account is a row of its own, so that it can be erased while the payout stays. An approval names it by its id.
create table payout_accounts (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  iban_sealed text not null,
  holder text not null,
  -- The last four characters, by which a customer knows the account again.
  iban_end text not null,
  created_at timestamp with time zone default now() not null,
  -- The address of somebody whose account was deleted with money left, for the mails about its payout; it is erased with the bank account.
  -- Sealed: JSON of the address and the language.
  address_sealed text,
  constraint payout_accounts_pkey primary key (id),
  constraint payout_accounts_id_user_id_key unique (id, user_id),
  constraint payout_accounts_user_id_fkey foreign key (user_id) references users(id),
  constraint payout_accounts_holder_check check (length(holder) >= 1 and length(holder) <= 70),
  constraint payout_accounts_iban_end_check check (iban_end ~ '^[A-Z0-9]{4}$'::text)
);
create index payout_accounts_by_time on payout_accounts (created_at);
create index payout_accounts_of_user on payout_accounts (user_id);
grant delete, insert, select on payout_accounts to hostdesk_app;
alter table payout_accounts enable row level security;
alter table payout_accounts force row level security;
create policy deleted_by_owner on payout_accounts for delete using (actor_owns(user_id));
create policy inserted_by_owner on payout_accounts for insert with check (actor_owns(user_id));
create policy readable on payout_accounts for select using (true);
create policy updated_by_owner on payout_accounts for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The bookings that took the money of a payout from the balance, one for each payment that it gives back, and those that brought it back.
create table payout_bookings (
  transaction_id uuid not null,
  payout_id bigint not null,
  kind text not null,
  amount bigint not null,
  -- Its place among the bookings of its payout.
  place integer not null,
  constraint payout_bookings_pkey primary key (transaction_id),
  constraint payout_bookings_payout_id_fkey foreign key (payout_id) references payouts(id),
  constraint payout_bookings_transaction_id_fkey foreign key (transaction_id) references transactions(id),
  constraint payout_bookings_amount_check check (amount > 0),
  constraint payout_bookings_kind_check check (kind = any (array['out'::text, 'back'::text]))
);
create index payout_bookings_of_payout on payout_bookings (payout_id);
grant insert, select on payout_bookings to hostdesk_app;
create trigger payout_bookings_are_append_only before delete or update on payout_bookings for each row execute function refuse_change();
create trigger payout_bookings_are_not_truncated before truncate on payout_bookings for each statement execute function refuse_change();

-- The payouts that staff download together. A payout is in one file for good, and the file can be downloaded again.
create table payout_files (
  id text not null,
  -- The account that pays, as the settings named it; null where they named none.
  payer_name text,
  payer_iban text,
  payer_bic text,
  payouts integer not null,
  total bigint not null,
  currency text not null,
  -- Null for the command line.
  created_by uuid,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  constraint payout_files_pkey primary key (id),
  constraint payout_files_created_by_fkey foreign key (created_by) references users(id),
  constraint payout_files_currency_check check (currency ~ '^[A-Z]{3}$'::text),
  constraint payout_files_id_check check (id ~ '^PF-[0-9A-F]{10}$'::text),
  constraint payout_files_payouts_check check (payouts > 0),
  constraint payout_files_total_check check (total > 0)
);
create index payout_files_by_time on payout_files (created_at, id);
grant insert, select on payout_files to hostdesk_app;
create trigger payout_files_are_append_only before delete or update on payout_files for each row execute function refuse_change();
create trigger payout_files_are_not_truncated before truncate on payout_files for each statement execute function refuse_change();

create table payouts (
  id bigint generated always as identity not null,
  public_id text not null,
  -- The reference on the transfer.
  reference text not null,
  user_id uuid not null,
  amount bigint not null,
  currency text not null,
  way text not null,
  state text default 'requested'::text not null,
  -- The payment that goes back to where it came from.
  top_up_id bigint,
  provider text not null,
  -- Null once it is erased.
  account_id uuid,
  file_id text,
  -- The member of staff who asked for it; null for the customer and for the command line.
  requested_by uuid,
  -- The words of staff for the customer: why it was asked for, and why it failed.
  reason text default ''::text not null,
  failure text default ''::text not null,
  -- When the provider was first asked, and the provider's own id of the refund.
  asked_at timestamp with time zone,
  provider_reference text,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  ended_at timestamp with time zone,
  -- The address of somebody whose account was deleted while a refund to the source was under way, for the mails about it. It is erased 30 days
  -- after the refund has ended. Sealed: JSON of the address and the language.
  address_sealed text,
  constraint payouts_pkey primary key (id),
  constraint payouts_public_id_key unique (public_id),
  constraint payouts_reference_key unique (reference),
  constraint payouts_account_id_user_id_fkey foreign key (account_id, user_id) references payout_accounts(id, user_id) on delete set null (account_id),
  constraint payouts_file_id_fkey foreign key (file_id) references payout_files(id),
  constraint payouts_requested_by_fkey foreign key (requested_by) references users(id),
  constraint payouts_top_up_id_fkey foreign key (top_up_id) references top_ups(id),
  constraint payouts_user_id_fkey foreign key (user_id) references users(id),
  constraint payouts_amount_check check (amount > 0),
  constraint payouts_check check ((way = 'source'::text) = (top_up_id is not null)),
  constraint payouts_check1 check (way = 'bank'::text or account_id is null and file_id is null),
  constraint payouts_check2 check ((state = 'requested'::text) = (ended_at is null)),
  constraint payouts_currency_check check (currency ~ '^[A-Z]{3}$'::text),
  constraint payouts_failure_check check (length(failure) <= 200),
  constraint payouts_public_id_check check (public_id ~ '^[A-Za-z0-9_-]{22}$'::text),
  constraint payouts_reason_check check (length(reason) <= 200),
  constraint payouts_reference_check check (reference ~ '^PO-[0-9A-F]{10}$'::text),
  constraint payouts_state_check check (state = any (array['requested'::text, 'sent'::text, 'failed'::text, 'returned'::text])),
  constraint payouts_way_check check (way = any (array['source'::text, 'bank'::text]))
);
create index payouts_by_state on payouts (state, id);
create index payouts_of_account on payouts (account_id) where account_id is not null;
create index payouts_of_file on payouts (file_id, id) where file_id is not null;
create index payouts_of_user on payouts (user_id, id);
create index payouts_under_way on payouts (id) where state = 'requested'::text;
create index payouts_with_address on payouts (user_id, id) where address_sealed is not null;
grant insert, select on payouts to hostdesk_app;
alter table payouts enable row level security;
alter table payouts force row level security;
create policy deleted_by_owner on payouts for delete using (actor_owns(user_id));
create policy inserted_by_owner on payouts for insert with check (actor_owns(user_id));
create policy readable on payouts for select using (true);
create policy updated_by_owner on payouts for update using (actor_owns(user_id)) with check (actor_owns(user_id));
