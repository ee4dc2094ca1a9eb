-- A key that was stolen is named for good: a verifier that holds an older list must hear that it counts no more, and whoever
-- stole it can sign for ever.
alter table signing_keys
  add column withdrawn_at timestamptz,
  add constraint signing_keys_withdrawn_is_retired check (withdrawn_at is null or retired_at is not null);
