-- An agreement that waits for a charge to end is over when the charge is: the beginning of its transaction would be before it, and say
-- that something was charged after the end.
create or replace function end_agreement(ended uuid, ending text, side text, keeps_renewing boolean) returns setof bigint
language plpgsql as $$
declare
  actor text := current_setting('app.actor', true);
begin
  if not exists (select from payment_agreements a where a.id = ended and (actor_owns(a.owner_id) or actor_owns(a.payer_id))) then
    raise exception 'agreement % is not of %', ended, actor using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.actor', 'system', true);
  update hosts h set auto_renew = false from host_payers p
    where p.agreement_id = ended and p.host_id = h.id and h.auto_renew and not keeps_renewing;
  delete from requested_hosts where agreement_id = ended;
  return query delete from host_payers where agreement_id = ended returning host_id;
  update payment_agreements a set state = ending, ended_at = clock_timestamp(), version = version + 1,
    ended_by = case ending when 'ended' then side end where a.id = ended;
  perform set_config('app.actor', actor, true);
end $$;
