-- Payment methods that are saved at a provider, and charged without typing anything again (docs/decisions/191).
create table payment_methods (
  id uuid primary key default gen_random_uuid(),
  public_id text not null unique check (public_id ~ '^[A-Za-z0-9_-]{22}$'),
  user_id uuid not null references users,
  provider text not null check (provider ~ '^[a-z]{1,20}$'),
  -- As it was chosen, until the provider's event tells what was saved.
  kind text not null check (kind in ('card', 'sepa_debit', 'paypal')),
  -- The provider's ids of the method and of the customer whose it is; null until it is saved, and once it is forgotten there.
  provider_ref_sealed text,
  -- Finds the method by the provider's id of it: keyed, so that it reveals nothing.
  provider_ref_digest bytea check (length(provider_ref_digest) = 32),
  brand text not null default '' check (length(brand) <= 40),
  last4 text not null default '' check (last4 ~ '^[A-Za-z0-9]{0,4}$'),
  -- The last day on which it can be charged.
  expires date,
  mandate_ref text check (length(mandate_ref) <= 200),
  is_default boolean not null default false,
  -- `paused`: it is not charged any more, and `reason` says why. `removed`: it waits until the provider has forgotten it.
  state text not null default 'pending' check (state in ('pending', 'active', 'paused', 'removed')),
  reason text not null default '' check (length(reason) <= 100),
  -- The page on which it is saved.
  redirect_url text,
  -- The days before its end of the last mail that told of it.
  warned_days smallint,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  saved_at timestamptz,
  check (not is_default or state = 'active'),
  check (state not in ('active', 'paused') or (provider_ref_sealed is not null and provider_ref_digest is not null and saved_at is not null))
);
create index payment_methods_of_user on payment_methods (user_id, created_at);
create unique index payment_methods_default on payment_methods (user_id) where is_default;
create index payment_methods_by_reference on payment_methods (provider, provider_ref_digest) where provider_ref_digest is not null;
create index payment_methods_expiring on payment_methods (expires) where state = 'active' and expires is not null;
create index payment_methods_unfinished on payment_methods (created_at) where state in ('pending', 'removed');
select allow_app('payment_methods', 'select, insert, update, delete');
select protect_rows('payment_methods', 'user_id');

-- The method that is charged for a payment, and the provider's id of that charge. The method may be removed before its payment is disputed.
alter table top_ups add column method_id uuid, add column charge_reference text;
select allow_app('top_ups', 'update (charge_reference)');
