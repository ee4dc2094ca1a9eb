-- The moment at which the call of a confirmed proposal was done. Until then it can be tried again by its owner.
select set_config('app.actor', 'system', true);
alter table assistant_proposals
  add column done_at timestamptz,
  -- The last attempt. For a minute no other one begins, so that two presses are not two calls.
  add column tried_at timestamptz;
update assistant_proposals set done_at = decided_at where status = 'confirmed';
select allow_app('assistant_proposals', 'update (done_at, tried_at)');
