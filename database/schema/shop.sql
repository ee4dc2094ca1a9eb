-- The tables of features/shop with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

create table purchases (
  -- That of the payment.
  public_id text not null,
  -- The digest of the form with all that was typed: one sent twice is one purchase.
  form_hash bytea not null,
  email text not null,
  locale text not null,
  -- The typed fields: plan, server, address, boxes; and from where they came.
  wish jsonb not null,
  -- Minor units: the price that was shown, and the amount that was asked for.
  total bigint not null,
  amount bigint not null,
  currency text not null,
  -- `waits`: paid, and the owner of the account with this address is asked. `done`: an account has it.
  state text default 'open'::text not null,
  user_id uuid,
  -- The key in the mail by which the owner of the account takes a purchase that waits.
  key_hash bytea,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  -- The payment of a purchase has failed: its page says so, and offers another one.
  failed_at timestamp with time zone,
  constraint purchases_pkey primary key (public_id),
  constraint purchases_form_hash_key unique (form_hash),
  constraint purchases_key_hash_key unique (key_hash),
  constraint purchases_user_id_fkey foreign key (user_id) references users(id),
  constraint purchases_check check (amount >= total),
  constraint purchases_check1 check ((state = 'open'::text) = (user_id is null)),
  constraint purchases_check2 check ((state = 'open'::text) = (paid_at is null)),
  constraint purchases_check3 check ((state = 'waits'::text) = (key_hash is not null)),
  constraint purchases_currency_check check (currency ~ '^[A-Z]{3}$'::text),
  constraint purchases_email_check check (length(email) <= 320),
  constraint purchases_form_hash_check check (length(form_hash) = 32),
  constraint purchases_key_hash_check check (length(key_hash) = 32),
  constraint purchases_locale_check check (locale = any (array['en'::text, 'de'::text, 'ru'::text])),
  constraint purchases_public_id_check check (public_id ~ '^[A-Za-z0-9_-]{22}$'::text),
  constraint purchases_state_check check (state = any (array['open'::text, 'waits'::text, 'done'::text])),
  constraint purchases_total_check check (total > 0)
);
create index purchases_by_age on purchases (created_at);
create index purchases_of_user on purchases (user_id) where user_id is not null;
grant delete, insert, select on purchases to hostdesk_app;
alter table purchases enable row level security;
alter table purchases force row level security;
create policy deleted_by_owner on purchases for delete using (actor_owns(user_id));
create policy inserted_by_owner on purchases for insert with check (actor_owns(user_id));
create policy readable on purchases for select using (true);
create policy updated_by_owner on purchases for update using (actor_owns(user_id)) with check (actor_owns(user_id));
