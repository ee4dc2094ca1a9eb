-- Locks of money in one order (docs/decisions/139): servers, documents that are credited, agreements, balances.

-- A new server has the payer of all. The agreement is locked as by the order that follows: a shared lock, raised by two orders at once, would
-- let them wait for each other.
create or replace function join_payer() returns trigger
language plpgsql as $$
begin
  insert into host_payers (host_id, user_id, agreement_id)
    select new.id, new.user_id, a.id from payment_agreements a
    where a.owner_id = new.user_id and a.state = 'active' and a.all_hosts for update;
  return new;
end $$;

-- Locks the agreements that pay for these servers, and returns the payers as they are after the wait.
create function lock_payers(of_hosts bigint[]) returns table (host_id bigint, agreement_id uuid, payer_id uuid, pays text, month_limit bigint)
language plpgsql as $$
#variable_conflict use_column
begin
  perform from payment_agreements a
    where a.id in (select p.agreement_id from host_payers p where p.host_id = any(of_hosts)) order by a.id for update;
  return query select p.host_id, p.agreement_id, a.payer_id, a.pays, a.month_limit
    from host_payers p join payment_agreements a on a.id = p.agreement_id where p.host_id = any(of_hosts);
end $$;

-- Locks all balances of an act by one statement, in the order of the accounts. One of them may be another account's, whose row the
-- transaction may not write yet, so this one step is the system's. It writes nothing.
create function lock_balances(customers uuid[], of_currency text) returns table (user_id uuid, balance bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  actor text := current_setting('app.actor', true);
begin
  perform set_config('app.actor', 'system', true);
  return query select b.user_id, b.balance from balances b
    where b.user_id = any(customers) and b.currency = of_currency order by b.account_id for update;
  perform set_config('app.actor', coalesce(actor, ''), true);
end $$;
