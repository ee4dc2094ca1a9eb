select set_config('app.actor', 'system', true);

-- A closed ticket keeps no secret, nor do those that were merged into it, also by way of others. Before, a chain of merges was followed for one
-- step alone, and the secrets behind it stayed until they were 30 days old.
create or replace function wipe_secrets() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with recursive ended as (
    select new.id as ticket_id
    union select m.ticket_id from ticket_merges m join ended e on m.into_id = e.ticket_id)
  update ticket_secrets set sealed = null, wiped_at = date_trunc('milliseconds', now())
  where sealed is not null and ticket_id in (select ticket_id from ended);
  return null;
end $$;

with recursive ended as (
  select m.into_id as ticket_id from ticket_merges m join tickets t on t.id = m.into_id
  where t.status = 'closed' and t.merged_into_id is null
  union select m.ticket_id from ticket_merges m join ended e on m.into_id = e.ticket_id)
update ticket_secrets set sealed = null, wiped_at = date_trunc('milliseconds', now())
where sealed is not null and ticket_id in (select ticket_id from ended);

-- A suspension ends when its address leaves the account. Rows that were left behind kept the mails from whoever proved the address since.
delete from suspended_addresses s
where not exists (select from email_addresses e where e.user_id = s.user_id and e.email = s.address);

-- The accounts to which any of these tickets belongs or, before a merge of accounts or its undoing, belonged.
create function owners_of_tickets(ids bigint[]) returns setof uuid language sql stable as $$
  select user_id from tickets where id = any (ids)
  union select unnest(array[user_id, into_id]) from account_merges where ticket_ids && ids
$$;
