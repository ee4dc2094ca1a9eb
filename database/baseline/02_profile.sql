-- Links by which customers download what is kept about them, mailed when staff are asked for it.
create table data_exports (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  -- SHA-256 of the key in the mail.
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index data_exports_of_user on data_exports (user_id);
select allow_app('data_exports', 'select, insert, delete');
select protect_rows('data_exports', 'user_id');

create table email_addresses (
  id bigint generated always as identity primary key,
  user_id uuid not null references users on delete cascade,
  email text not null check ((email = lower(email)) and length(email) <= 254),
  verified_at timestamptz,
  is_primary boolean not null default false,
  created_at timestamptz not null default now(),
  -- When the address was given, or its confirmation was last asked for. A claim that is not
  -- proven within a day ends.
  claimed_at timestamptz not null default now(),
  unique (user_id, email)
);
create index addresses_by_beginning on email_addresses (email text_pattern_ops);
create index addresses_by_email on email_addresses (email);
create index addresses_by_part on email_addresses using gin (parts_of(email)) where verified_at is not null;
create unique index one_primary_address on email_addresses (user_id) where is_primary;
-- Two accounts may both claim an address, but only one can prove it, however many try at once.
create unique index one_verified_owner on email_addresses (email) where verified_at is not null;
create index unproven_claims_by_age on email_addresses (claimed_at) where verified_at is null;
select allow_app('email_addresses', 'select, insert, update, delete');
select protect_rows('email_addresses', 'user_id');

-- Nothing can be added to an account before its first address is proven. The attack is a sign-up with the address of
-- somebody else, furnished with a second address or a factor that outlives the reset by its owner.
create function refuse_before_proof() returns trigger language plpgsql as $$
begin
  if (tg_table_name <> 'email_addresses' or exists (select from email_addresses where user_id = new.user_id))
     and not exists (select from email_addresses where user_id = new.user_id and verified_at is not null) then
    raise exception 'nothing is added to an account before its first address is proven' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger addresses_follow_a_proven_one before insert on email_addresses for each row
  when (new.verified_at is null)
  execute function refuse_before_proof();

create table mail_preferences (
  user_id uuid primary key references users on delete cascade,
  ticket_replies boolean not null default true,
  ticket_closing boolean not null default true,
  -- For staff.
  new_tickets boolean not null default true
);
select allow_app('mail_preferences', 'select, insert, update, delete');
select protect_rows('mail_preferences', 'user_id');

-- The name as staff read and search it.
create function full_name(name text, middle_name text, surname text) returns text language sql immutable parallel safe as $$
  select name || ' ' || case when middle_name = '' then '' else middle_name || ' ' end || surname
$$;

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
  created_at timestamptz not null default now(),
  company text not null default '' check (length(company) <= 200),
  -- Without blanks, as features/profile/rules.ts writes it.
  vat_id text not null default '' check (vat_id ~ '^([A-Z]{2}[A-Z0-9+*]{2,28})?$'),
  -- Set by a reset through a mail: at the next sign-in the customer is shown by which addresses, passkeys and codes the account
  -- can be reached, for an intruder may have left one behind.
  access_review_since timestamptz,
  version integer not null default 1,
  constraint as_old_as_its_account foreign key (created_at, user_id)
    references users (created_at, id) on update cascade on delete cascade
);
-- Companies by the parts of their searchable form.
create index profiles_by_search_part_of_company on profiles using gin (search_parts_of(company)) where company <> '';
-- Names by the parts of their searchable form.
create index profiles_by_search_part_of_name on profiles using gin (search_parts_of(full_name(name, middle_name, surname)));
-- Searchable names in the order of the list of customers, read without the table: PostgreSQL takes a computed name from an index only
-- where the names it was computed of are there, too.
create index profiles_by_searchable_age on profiles (created_at, user_id, searchable(full_name(name, middle_name, surname))) include (name, middle_name, surname);
-- The few customers with a VAT id, in the order in which they are asked about and listed.
create index profiles_with_vat_id on profiles (user_id) include (country, vat_id) where vat_id <> '';
select allow_app('profiles', 'select, insert, update, delete');
select protect_rows('profiles', 'user_id');

create trigger count_edit before update on profiles for each row when (old.* is distinct from new.*) execute function count_edit();

-- The parts of names that PostgreSQL saw most often when it last looked: the share of all names that have each, and their number. The list
-- of customers chooses its way by them. Statistics of an index can be read by its owner alone.
create function frequent_name_parts()
  returns table(part text, share double precision, names double precision) language sql stable security definer
  set search_path = pg_catalog, public, pg_temp as $$
  select seen.part, seen.share, seen.share * profiles.reltuples
  from pg_stats, pg_class profiles, unnest(most_common_elems::text::text[], most_common_elem_freqs) as seen (part, share)
  where schemaname = 'public' and tablename = 'profiles_by_search_part_of_name' and profiles.oid = 'public.profiles'::regclass
    and seen.part is not null
$$;

-- The last sign-up with an address that an account has proven already. No account comes of it: its password is kept for a day, as that of
-- a sign-up that nobody has confirmed yet, so that signing in with it is answered as it is for an unknown address.
create table vain_sign_ups (
  id bigint generated always as identity unique,
  address_id bigint primary key references email_addresses on delete cascade,
  hash text not null,
  signed_up_at timestamptz not null default now()
);
create index vain_sign_ups_by_age on vain_sign_ups (signed_up_at);
select allow_app('vain_sign_ups', 'select, insert, update, delete');

-- Keys of the links that prove an address. Several may be outstanding; all are void once the address is verified.
-- Only the hash is kept, so that a read of the database proves nothing.
create table verification_keys (
  token_hash bytea primary key,
  address_id bigint not null references email_addresses on delete cascade,
  expires_at timestamptz not null
);
create index verification_keys_by_age on verification_keys (expires_at);
create index verification_keys_of_address on verification_keys (address_id);
select allow_app('verification_keys', 'select, insert, delete');
