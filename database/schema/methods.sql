-- The tables of features/methods with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- Payment methods that are saved at a provider, and charged without typing anything again (docs/decisions/191).
create table payment_methods (
  id uuid default gen_random_uuid() not null,
  public_id text not null,
  user_id uuid not null,
  provider text not null,
  -- As it was chosen, until the provider's event tells what was saved.
  kind text not null,
  -- The provider's ids of the method and of the customer whose it is; null until it is saved, and once it is forgotten there.
  provider_ref_sealed text,
  -- Finds the method by the provider's id of it: keyed, so that it reveals nothing.
  provider_ref_digest bytea,
  brand text default ''::text not null,
  last4 text default ''::text not null,
  -- The last day on which it can be charged.
  expires date,
  mandate_ref text,
  is_default boolean default false not null,
  -- `paused`: it is not charged any more, and `reason` says why. `removed`: it waits until the provider has forgotten it.
  state text default 'pending'::text not null,
  reason text default ''::text not null,
  -- The page on which it is saved.
  redirect_url text,
  -- The days before its end of the last mail that told of it.
  warned_days smallint,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  saved_at timestamp with time zone,
  constraint payment_methods_pkey primary key (id),
  constraint payment_methods_public_id_key unique (public_id),
  constraint payment_methods_user_id_fkey foreign key (user_id) references users(id),
  constraint payment_methods_brand_check check (length(brand) <= 40),
  constraint payment_methods_check check (not is_default or state = 'active'::text),
  constraint payment_methods_check1 check ((state <> all (array['active'::text, 'paused'::text])) or provider_ref_sealed is not null and provider_ref_digest is not null and saved_at is not null),
  constraint payment_methods_kind_check check (kind = any (array['card'::text, 'sepa_debit'::text, 'paypal'::text])),
  constraint payment_methods_last4_check check (last4 ~ '^[A-Za-z0-9]{0,4}$'::text),
  constraint payment_methods_mandate_ref_check check (length(mandate_ref) <= 200),
  constraint payment_methods_provider_check check (provider ~ '^[a-z]{1,20}$'::text),
  constraint payment_methods_provider_ref_digest_check check (length(provider_ref_digest) = 32),
  constraint payment_methods_public_id_check check (public_id ~ '^[A-Za-z0-9_-]{22}$'::text),
  constraint payment_methods_reason_check check (length(reason) <= 100),
  constraint payment_methods_state_check check (state = any (array['pending'::text, 'active'::text, 'paused'::text, 'removed'::text]))
);
create index payment_methods_by_reference on payment_methods (provider, provider_ref_digest) where provider_ref_digest is not null;
create unique index payment_methods_default on payment_methods (user_id) where is_default;
create index payment_methods_expiring on payment_methods (expires) where state = 'active'::text and expires is not null;
create index payment_methods_of_user on payment_methods (user_id, created_at);
create index payment_methods_unfinished on payment_methods (created_at) where state = any (array['pending'::text, 'removed'::text]);
grant delete, insert, select, update on payment_methods to hostdesk_app;
alter table payment_methods enable row level security;
alter table payment_methods force row level security;
create policy deleted_by_owner on payment_methods for delete using (actor_owns(user_id));
create policy inserted_by_owner on payment_methods for insert with check (actor_owns(user_id));
create policy readable on payment_methods for select using (true);
create policy updated_by_owner on payment_methods for update using (actor_owns(user_id)) with check (actor_owns(user_id));
