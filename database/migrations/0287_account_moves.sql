-- A reset by staff may also move the account to another address, for people who have lost their mailbox (docs/decisions/157).
alter table factor_resets
  add column new_email text check (length(new_email) between 3 and 254),
  -- How the member of staff made sure who asks.
  add column identity text check (length(identity) between 1 and 800),
  add constraint factor_resets_move check ((new_email is null) = (identity is null));
