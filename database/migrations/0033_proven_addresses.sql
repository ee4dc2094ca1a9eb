-- An unproven claim to an address weighs nothing (docs/rules.md 37).

-- Since when somebody claims an address: since it was given, or its confirmation was last asked for. A claim that is not
-- proven within a day ends.
alter table email_addresses add column claimed_at timestamptz not null default now();
create index unproven_claims_by_age on email_addresses (claimed_at) where verified_at is null;

select set_config('app.actor', 'system', true);

-- An account with a proven address is named by one. Before this rule, a first address could stay unproven beside another.
with named as (
  select distinct on (proven.user_id) proven.id, proven.user_id, proven.email
  from email_addresses proven
  join email_addresses claimed on claimed.user_id = proven.user_id and claimed.is_primary and claimed.verified_at is null
  where proven.verified_at is not null
  order by proven.user_id, proven.id
), unnamed as (
  update email_addresses set is_primary = false from named
  where email_addresses.user_id = named.user_id and is_primary returning named.id, named.user_id, named.email
)
update users set email = unnamed.email from unnamed where users.id = unnamed.user_id;
update email_addresses set is_primary = true
where verified_at is not null
  and id in (select min(id) from email_addresses where verified_at is not null group by user_id)
  and not exists (
    select from email_addresses other where other.user_id = email_addresses.user_id and other.is_primary);

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
create trigger addresses_follow_a_proven_one before insert on email_addresses
  for each row when (new.verified_at is null) execute function refuse_before_proof();
create trigger totp_follows_a_proven_address before insert on totp_authenticators
  for each row execute function refuse_before_proof();
create trigger passkeys_follow_a_proven_address before insert on passkeys
  for each row execute function refuse_before_proof();

-- Set by a reset through a mail: at the next sign-in the customer is shown by which addresses, passkeys and codes the account
-- can be reached, for an intruder may have left one behind.
alter table profiles add column access_review_since timestamptz;
