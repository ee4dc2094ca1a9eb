-- The interval at which an agent comes is told with each answer (docs/decisions/178).
alter table host_agents
  -- The seconds told with the last check-in; twice as long without another one, and the host is silent.
  add column interval_s smallint not null default 30,
  -- Somebody looks at the figures of the host until then.
  add column watched_until timestamptz;

-- The longest interval that the agent of a host may be told: half of the time after which somebody wants to hear of its silence, which is
-- five minutes where nobody has chosen another. The feature that tells of silence may replace this function, also before it is made here.
do $$
begin
  if to_regprocedure('longest_interval_of(bigint)') is null then
    create function longest_interval_of(host bigint) returns integer language sql stable as 'select 150';
  end if;
end
$$;
