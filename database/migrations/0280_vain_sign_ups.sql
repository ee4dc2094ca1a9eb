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
