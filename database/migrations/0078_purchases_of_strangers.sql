-- Payments and orders of people who have no account yet (docs/decisions/202).
create table guest_payments (
  public_id text primary key check (public_id ~ '^[A-Za-z0-9_-]{22}$'),
  provider text not null check (length(provider) between 1 and 40),
  -- Minor units.
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  locale text not null check (locale in ('en', 'de', 'ru')),
  -- The page to which the provider's page leads back.
  back text not null check (back ~ '^/' and length(back) <= 200),
  redirect_url text check (length(redirect_url) <= 4000),
  -- The event that said that it was paid, where no account has taken it yet.
  event_id text check (length(event_id) between 1 and 255),
  created_at timestamptz not null default now()
);
create index guest_payments_by_age on guest_payments (created_at);
select allow_app('guest_payments', 'select, insert, update (redirect_url, event_id), delete');

create table purchases (
  -- That of the payment.
  public_id text primary key check (public_id ~ '^[A-Za-z0-9_-]{22}$'),
  -- The digest of the form with all that was typed: one sent twice is one purchase.
  form_hash bytea not null unique check (length(form_hash) = 32),
  email text not null check (length(email) <= 320),
  locale text not null check (locale in ('en', 'de', 'ru')),
  -- The typed fields: plan, server, address, boxes; and from where they came.
  wish jsonb not null,
  -- Minor units: the price that was shown, and the amount that was asked for.
  total bigint not null check (total > 0),
  amount bigint not null check (amount >= total),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- `waits`: paid, and the owner of the account with this address is asked. `done`: an account has it.
  state text not null default 'open' check (state in ('open', 'waits', 'done')),
  user_id uuid references users,
  -- The key in the mail by which the owner of the account takes a purchase that waits.
  key_hash bytea unique check (length(key_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  paid_at timestamptz,
  check ((state = 'open') = (user_id is null)),
  check ((state = 'open') = (paid_at is null)),
  check ((state = 'waits') = (key_hash is not null))
);
create index purchases_of_user on purchases (user_id) where user_id is not null;
create index purchases_by_age on purchases (created_at);
select allow_app('purchases', 'select, insert, update (state, user_id, key_hash, paid_at), delete');
select protect_rows('purchases', 'user_id');

-- The address of an account that paid before anybody proved it: nobody else proves it, and no time ends it.
alter table email_addresses add column held boolean not null default false;

-- The country of the network from which an account was bought, which has not been signed in to yet (docs/decisions/147).
create table first_networks (
  user_id uuid primary key references users,
  country text not null check (country ~ '^[A-Z]{2}$'),
  created_at timestamptz not null default now()
);
select allow_app('first_networks', 'select, insert, delete');
select protect_rows('first_networks', 'user_id');
