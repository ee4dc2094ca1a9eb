-- Jobs of seconds, like drawing documents, are done one after the other and when nothing else waits: else a day with many
-- invoices takes all places of the queue, and mails wait behind drawings.
drop function enqueue_job(text, jsonb, timestamptz, text, integer);

create function enqueue_job(name text, payload jsonb, run_at timestamptz, key text, max_attempts integer, slow boolean)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.add_job(
    identifier => name, payload => payload::json, run_at => run_at, job_key => key, max_attempts => max_attempts,
    queue_name => case when slow then name end, priority => case when slow then 10 else 0 end);
end $$;
