-- The tables of features/profile with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- Links by which customers download what is kept about them, mailed when staff are asked for it.
create table data_exports (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  -- SHA-256 of the key in the mail.
  token_hash bytea not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint data_exports_pkey primary key (id),
  constraint data_exports_token_hash_key unique (token_hash),
  constraint data_exports_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index data_exports_of_user on data_exports (user_id);
grant delete, insert, select on data_exports to hostdesk_app;
alter table data_exports enable row level security;
alter table data_exports force row level security;
create policy deleted_by_owner on data_exports for delete using (actor_owns(user_id));
create policy inserted_by_owner on data_exports for insert with check (actor_owns(user_id));
create policy readable on data_exports for select using (true);
create policy updated_by_owner on data_exports for update using (actor_owns(user_id)) with check (actor_owns(user_id));

create table email_addresses (
  id bigint generated always as identity not null,
  user_id uuid not null,
  email text not null,
  verified_at timestamp with time zone,
  is_primary boolean default false not null,
  created_at timestamp with time zone default now() not null,
  -- When the address was given, or its confirmation was last asked for. A claim that is not
  -- proven within a day ends.
  claimed_at timestamp with time zone default now() not null,
  -- The address of an account that paid before anybody proved it: nobody else proves it, and no time ends it.
  held boolean default false not null,
  constraint email_addresses_pkey primary key (id),
  constraint email_addresses_user_id_email_key unique (user_id, email),
  constraint email_addresses_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint email_addresses_email_check check (email = lower(email) and length(email) <= 254)
);
create index addresses_by_beginning on email_addresses (email text_pattern_ops);
create index addresses_by_email on email_addresses (email);
create index addresses_by_part on email_addresses using gin (parts_of(email)) where verified_at is not null;
create unique index one_primary_address on email_addresses (user_id) where is_primary;
create unique index one_verified_owner on email_addresses (email) where verified_at is not null;
create index unproven_claims_by_age on email_addresses (claimed_at) where verified_at is null;
grant delete, insert, select, update on email_addresses to hostdesk_app;
alter table email_addresses enable row level security;
alter table email_addresses force row level security;
create policy deleted_by_owner on email_addresses for delete using (actor_owns(user_id));
create policy inserted_by_owner on email_addresses for insert with check (actor_owns(user_id));
create policy readable on email_addresses for select using (true);
create policy updated_by_owner on email_addresses for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger addresses_follow_a_proven_one before insert on email_addresses for each row when (new.verified_at is null) execute function refuse_before_proof();
create trigger no_robot before insert on email_addresses for each row execute function refuse_robot('user_id');

create table mail_preferences (
  user_id uuid not null,
  ticket_replies boolean default true not null,
  ticket_closing boolean default true not null,
  -- For staff.
  new_tickets boolean default true not null,
  -- News by mail goes to nobody who has not asked for it.
  news boolean default false not null,
  constraint mail_preferences_pkey primary key (user_id),
  constraint mail_preferences_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
grant delete, insert, select, update on mail_preferences to hostdesk_app;
alter table mail_preferences enable row level security;
alter table mail_preferences force row level security;
create policy deleted_by_owner on mail_preferences for delete using (actor_owns(user_id));
create policy inserted_by_owner on mail_preferences for insert with check (actor_owns(user_id));
create policy readable on mail_preferences for select using (true);
create policy updated_by_owner on mail_preferences for update using (actor_owns(user_id)) with check (actor_owns(user_id));

create table profiles (
  user_id uuid not null,
  name text default ''::text not null,
  middle_name text default ''::text not null,
  surname text default ''::text not null,
  -- ISO 3166-1 alpha-2, or nothing.
  country text default ''::text not null,
  address text default ''::text not null,
  apartment text default ''::text not null,
  zip text default ''::text not null,
  city text default ''::text not null,
  state text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  company text default ''::text not null,
  -- Without blanks, as features/profile/rules.ts writes it.
  vat_id text default ''::text not null,
  -- Set by a reset through a mail: at the next sign-in the customer is shown by which addresses, passkeys and codes the account
  -- can be reached, for an intruder may have left one behind.
  access_review_since timestamp with time zone,
  version integer default 1 not null,
  -- The matters that the owner of an account is asked to look at on every page, such as a webhook that the product disabled.
  attention text[] default '{}'::text[] not null,
  constraint profiles_pkey primary key (user_id),
  constraint as_old_as_its_account foreign key (created_at, user_id) references users(created_at, id) on update cascade on delete cascade,
  constraint profiles_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint profiles_address_check check (length(address) <= 200),
  constraint profiles_apartment_check check (length(apartment) <= 50),
  constraint profiles_city_check check (length(city) <= 100),
  constraint profiles_company_check check (length(company) <= 200),
  constraint profiles_country_check check (country ~ '^([A-Z]{2})?$'::text),
  constraint profiles_middle_name_check check (length(middle_name) <= 100),
  constraint profiles_name_check check (length(name) <= 100),
  constraint profiles_state_check check (length(state) <= 100),
  constraint profiles_surname_check check (length(surname) <= 100),
  constraint profiles_vat_id_check check (vat_id ~ '^([A-Z]{2}[A-Z0-9+*]{2,28})?$'::text),
  constraint profiles_zip_check check (length(zip) <= 20)
);
create index profiles_by_name_part on profiles using gin (name_parts(full_name(name, middle_name, surname)));
create index profiles_by_search_part_of_company on profiles using gin (search_parts_of(company)) where company <> ''::text;
create index profiles_by_search_part_of_street on profiles using gin (search_parts_of(address)) where address <> ''::text;
create index profiles_by_vat_id on profiles (vat_id) where vat_id <> ''::text;
create index profiles_with_vat_id on profiles (user_id) include (country, vat_id) where vat_id <> ''::text;
grant delete, insert, select, update on profiles to hostdesk_app;
alter table profiles enable row level security;
alter table profiles force row level security;
create policy deleted_by_owner on profiles for delete using (actor_owns(user_id));
create policy inserted_by_owner on profiles for insert with check (actor_owns(user_id));
create policy readable on profiles for select using (true);
create policy updated_by_owner on profiles for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger count_edit before update on profiles for each row when (old.* is distinct from new.*) execute function count_edit();
create trigger no_robot before insert on profiles for each row execute function refuse_robot('user_id');

-- The last sign-up with an address that an account has proven already. No account comes of it: its password is kept for a day, as that of
-- a sign-up that nobody has confirmed yet, so that signing in with it is answered as it is for an unknown address.
create table vain_sign_ups (
  id bigint generated always as identity not null,
  address_id bigint not null,
  hash text not null,
  signed_up_at timestamp with time zone default now() not null,
  constraint vain_sign_ups_pkey primary key (address_id),
  constraint vain_sign_ups_id_key unique (id),
  constraint vain_sign_ups_address_id_fkey foreign key (address_id) references email_addresses(id) on delete cascade
);
create index vain_sign_ups_by_age on vain_sign_ups (signed_up_at);
grant delete, insert, select, update on vain_sign_ups to hostdesk_app;

-- Keys of the links that prove an address. Several may be outstanding; all are void once the address is verified.
-- Only the hash is kept, so that a read of the database proves nothing.
create table verification_keys (
  token_hash bytea not null,
  address_id bigint not null,
  expires_at timestamp with time zone not null,
  constraint verification_keys_pkey primary key (token_hash),
  constraint verification_keys_address_id_fkey foreign key (address_id) references email_addresses(id) on delete cascade
);
create index verification_keys_by_age on verification_keys (expires_at);
create index verification_keys_of_address on verification_keys (address_id);
grant delete, insert, select on verification_keys to hostdesk_app;

-- The parts of names that PostgreSQL saw most often when it last looked: the share of all names that have each, and their number. The list
-- of customers chooses its way by them. Statistics of an index can be read by its owner alone.
create function frequent_name_parts()
 returns table(part text, share double precision, names double precision)
 language sql
 stable security definer
 set search_path to 'pg_catalog', 'public', 'pg_temp'
as $$
  select seen.part, seen.share, seen.share * profiles.reltuples
  from pg_stats, pg_class profiles, unnest(most_common_elems::text::text[], most_common_elem_freqs) as seen (part, share)
  where schemaname = 'public' and tablename = 'profiles_by_name_part' and profiles.oid = 'public.profiles'::regclass
    and seen.part is not null
$$;

-- The pieces of three letters of the searchable form of a name, with the shorter ones at its end: any shorter piece of the name begins one
-- of these. They are a third of what search_parts_of returns, and a change of a name writes an index of them. The text is cut into
-- threes from its first, second and third letter, which takes half of the time of a loop over its letters.
create function name_parts(value text)
 returns tsvector
 language plpgsql
 immutable parallel safe strict cost 1000
as $$
declare
  letters constant text := public.searchable(value);
  cut constant text := E'\\1\x01';
begin
  return array_to_tsvector(array_remove(
    string_to_array(regexp_replace(letters, '(...)', cut, 'g'), E'\x01')
      || string_to_array(regexp_replace(substr(letters, 2), '(...)', cut, 'g'), E'\x01')
      || string_to_array(regexp_replace(substr(letters, 3), '(...)', cut, 'g'), E'\x01'), ''));
end $$;

-- The parts that a text has which contains this one: of three letters each, as few as cover it. In plpgsql, since a function in SQL is planned
-- at each call, which took half the time of a search.
create function parts_covering(value text)
 returns text[]
 language plpgsql
 immutable parallel safe strict
as $$
declare
  letters text := lower(value);
  size int := length(letters);
  parts text[] := '{}';
begin
  for place in 1 .. size - 3 by 3 loop
    parts := parts || substr(letters, place, 3);
  end loop;
  return case when size = 0 then parts else parts || substr(letters, greatest(1, size - 2), 3) end;
end $$;

-- Nothing can be added to an account before its first address is proven. The attack is a sign-up with the address of
-- somebody else, furnished with a second address or a factor that outlives the reset by its owner.
create function refuse_before_proof()
 returns trigger
 language plpgsql
as $$
begin
  if (tg_table_name <> 'email_addresses' or exists (select from email_addresses where user_id = new.user_id))
     and not exists (select from email_addresses where user_id = new.user_id and verified_at is not null) then
    raise exception 'nothing is added to an account before its first address is proven' using errcode = 'check_violation';
  end if;
  return new;
end $$;
