-- Who somebody is. Owned by features/profile.

create table profiles (
  user_id uuid primary key references users on delete cascade,
  name text not null default '' check (length(name) <= 100),
  middle_name text not null default '' check (length(middle_name) <= 100),
  surname text not null default '' check (length(surname) <= 100),
  -- ISO 3166-1 alpha-2, or nothing.
  country text not null default '' check (country ~ '^([A-Z]{2})?$'),
  address text not null default '' check (length(address) <= 200),
  apartment text not null default '' check (length(apartment) <= 50),
  zip text not null default '' check (length(zip) <= 20),
  city text not null default '' check (length(city) <= 100),
  state text not null default '' check (length(state) <= 100),
  created_at timestamptz not null default now()
);
select allow_app('profiles', 'select, insert, update, delete');
select protect_rows('profiles', 'user_id');

create table email_addresses (
  id bigint generated always as identity primary key,
  user_id uuid not null references users on delete cascade,
  email text not null check (email = lower(email) and length(email) <= 254),
  verified_at timestamptz,
  is_primary boolean not null default false,
  created_at timestamptz not null default now(),
  unique (user_id, email)
);
-- Two accounts may both claim an address, but only one can prove it, however many try at once.
create unique index one_verified_owner on email_addresses (email) where verified_at is not null;
create unique index one_primary_address on email_addresses (user_id) where is_primary;
create index addresses_by_email on email_addresses (email);
select allow_app('email_addresses', 'select, insert, update, delete');
select protect_rows('email_addresses', 'user_id');

-- Keys of the links that prove an address. Several may be outstanding; all are void once the address is verified.
-- Only the hash is kept, so that a read of the database proves nothing.
create table verification_keys (
  token_hash bytea primary key,
  address_id bigint not null references email_addresses on delete cascade,
  expires_at timestamptz not null
);
create index verification_keys_of_address on verification_keys (address_id);
create index verification_keys_by_age on verification_keys (expires_at);
select allow_app('verification_keys', 'select, insert, delete');
