-- outside a transaction
-- The list of open tickets, whose order is that of the expected answers: a page is read in it, instead of sorting all open tickets (50 ms of
-- 6,000 open among 300,000). It holds open tickets that are awake alone, and is as large as they are few.
create index concurrently tickets_turn on tickets (
  status,
  (case when status = 'closed' then (coalesce(waiting_since, last_message_at) at time zone 'UTC') + interval '8766000 hours'
    when waiting_since is null then (coalesce(waiting_since, last_message_at) at time zone 'UTC') + interval '876600 hours'
    when due_at is not null then due_at at time zone 'UTC'
    when priority = 'critical' then (coalesce(waiting_since, last_message_at) at time zone 'UTC') + interval '438276 hours'
    when priority = 'high' then (coalesce(waiting_since, last_message_at) at time zone 'UTC') + interval '438292 hours'
    else (coalesce(waiting_since, last_message_at) at time zone 'UTC') + interval '438300 hours' end at time zone 'UTC'),
  id, topic, priority, assignee_id
) where status <> 'closed' and status <> 'pending' and snoozed_at is null;
