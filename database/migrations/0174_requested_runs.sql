-- The last time at which the provider of a run was asked for its charge; null until then, so that one which it never was asked for can be
-- cancelled (decision 193).
alter table auto_top_up_runs add column asked_at timestamptz;
select allow_app('auto_top_up_runs', 'update (asked_at)');
select set_config('app.actor', 'system', true);
-- The release before has noted nothing, and may have asked.
update auto_top_up_runs set asked_at = date_trunc('milliseconds', now()) where state = 'charging';
