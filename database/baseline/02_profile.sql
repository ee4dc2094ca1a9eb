-- Links by which customers download what is kept about them, mailed when staff are asked for it. Owned by features/profile.
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

-- What a text contains, for searches of a part of it: all that are one, two or three letters long, in small letters; or only
-- those of at least `shortest` letters. A text contains another only if it has all of its parts, which an index can tell.
create function parts_of(value text, shortest integer default 1)
  returns text[] language sql immutable strict parallel safe cost 1000 as $$
  select array(
    select substr(letters, place, size)
    from (select lower(value) as letters) as written, generate_series(1, length(letters)) as place, generate_series(shortest, 3) as size
    where place + size - 1 <= length(letters))
$$;

create table email_addresses (
  id bigint generated always as identity primary key,
  user_id uuid not null references users on delete cascade,
  email text not null check ((email = lower(email)) and length(email) <= 254),
  verified_at timestamptz,
  is_primary boolean not null default false,
  created_at timestamptz not null default now(),
  -- Since when somebody claims an address: since it was given, or its confirmation was last asked for. A claim that is not
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
  -- Of staff.
  new_tickets boolean not null default true
);
select allow_app('mail_preferences', 'select, insert, update, delete');
select protect_rows('mail_preferences', 'user_id');

-- The name as staff read and search it.
create function full_name(name text, middle_name text, surname text) returns text language sql immutable parallel safe as $$
  select name || ' ' || case when middle_name = '' then '' else middle_name || ' ' end || surname
$$;

-- The parts of a text in that form, of one to three letters, for indices. The functions of before stay for the release before.
create function search_parts_of(value text) returns text[] language sql immutable strict parallel safe cost 1000 as $$
  select array(
    select substr(letters, place, size)
    from (select public.searchable(value) as letters) as written, generate_series(1, length(letters)) as place, generate_series(1, 3) as size
    where place + size - 1 <= length(letters))
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
-- outside a transaction
-- Names in the order of the list of customers, read without the table: PostgreSQL takes a computed name from an index only where the
-- names it was computed of are there, too. Owned by features/profile.
create index profiles_by_age on profiles (created_at, user_id, lower(full_name(name, middle_name, surname))) include (name, middle_name, surname);
create index profiles_by_part_of_company on profiles using gin (parts_of(company)) where company <> '';
-- outside a transaction
create index profiles_by_part_of_name on profiles using gin (parts_of(full_name(name, middle_name, surname)));
-- outside a transaction
-- Companies by the parts of their searchable form. Owned by features/profile.
create index profiles_by_search_part_of_company on profiles using gin (search_parts_of(company)) where company <> '';
-- outside a transaction
-- Names by the parts of their searchable form. Owned by features/profile.
create index profiles_by_search_part_of_name on profiles using gin (search_parts_of(full_name(name, middle_name, surname)));
-- outside a transaction
-- Searchable names in the order of the list of customers, read without the table, as by profiles_by_age. Owned by features/profile.
create index profiles_by_searchable_age on profiles (created_at, user_id, searchable(full_name(name, middle_name, surname))) include (name, middle_name, surname);
-- outside a transaction
-- The few customers with a VAT id, in the order in which they are asked about and listed. Owned by features/profile.
create index profiles_with_vat_id on profiles (user_id) include (country, vat_id) where vat_id <> '';
select allow_app('profiles', 'select, insert, update, delete');
select protect_rows('profiles', 'user_id');

create function count_edit() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
create trigger count_edit before update on profiles for each row when (old.* is distinct from new.*) execute function count_edit();

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

-- The ways by which a person may act for others: a grant, or a grant of an owner whose helper has passed it on by one of all servers.
-- There is no third level. The role is what both roles allow; the servers are those of the owner's grant.
create function ways_to_act(person uuid, owner uuid)
  returns table(grant_id uuid, through uuid, owner_id uuid, role text, all_hosts boolean, needs_second_factor boolean, month_limit bigint)
  language sql stable as $$
  select g.id, null::uuid, g.owner_id, g.role, g.all_hosts, g.needs_second_factor, g.month_limit
  from account_grants g
  where g.grantee_id = person and g.state = 'active' and (owner is null or g.owner_id = owner)
  union all
  select g.id, p.id, g.owner_id, case when g.role = 'full' then p.role else g.role end, g.all_hosts,
    g.needs_second_factor or p.needs_second_factor, least(g.month_limit, p.month_limit)
  from account_grants p join account_grants g on g.grantee_id = p.owner_id and g.state = 'active' and g.may_pass_on
  where p.grantee_id = person and p.state = 'active' and p.all_hosts
    and g.owner_id <> person and (owner is null or g.owner_id = owner)
    and (g.role = p.role or 'full' in (g.role, p.role))
    and may_pass(p.owner_id, g.needs_second_factor)
$$;

-- True for two accounts of which one helps the other, directly or over a helper who passes it on, or pays for the other's servers. What
-- has ended counts for 90 days more: it could be ended for the act and agreed again. An invitation that nobody accepted ties nobody.
create function are_tied(one uuid, other uuid) returns boolean language sql stable as $$
  select exists (
    select from account_grants g
    where (g.owner_id, g.grantee_id) in ((one, other), (other, one)) and g.accepted_at is not null
      and (g.state = 'active' or g.ended_at > now() - interval '90 days')
  ) or exists (select from ways_to_act(one, other)) or exists (select from ways_to_act(other, one))
  or exists (
    select from payment_agreements a
    where (a.owner_id, a.payer_id) in ((one, other), (other, one)) and a.accepted_at is not null
      and (a.state = 'active' or a.ended_at > now() - interval '90 days'))
$$;

-- The parts of names that PostgreSQL saw most often when it last looked: the share of all names that have each, and their number. The list
-- of customers chooses its way by them. Statistics of an index can be read by its owner alone. Owned by features/profile.
create function frequent_name_parts()
  returns table(part text, share double precision, names double precision) language sql stable security definer
  set search_path = pg_catalog, public, pg_temp as $$
  select seen.part, seen.share, seen.share * profiles.reltuples
  from pg_stats, pg_class profiles, unnest(most_common_elems::text::text[], most_common_elem_freqs) as seen (part, share)
  where schemaname = 'public' and tablename = 'profiles_by_part_of_name' and profiles.oid = 'public.profiles'::regclass
    and seen.part is not null
$$;

-- The parts of a searched text, as before. A function in SQL was planned at each call, and a search calls it three times: two of its
-- four tenths of a millisecond. Owned by foundation/server/database.
create function parts_covering(value text) returns text[] language plpgsql immutable strict parallel safe as $$
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

-- True for two accounts with a payment from, or back to, one bank account: a fact that suggests that both are one person.
create function share_iban(one uuid, other uuid) returns boolean language sql stable as $$
  select exists (
    select from bank_lines a join bank_lines b on b.iban = a.iban
    where a.user_id = one and b.user_id = other and a.state = 'booked' and b.state = 'booked' and a.iban <> '')
$$;
