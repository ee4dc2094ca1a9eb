-- What a payer pays for a server of another account (docs/decisions/106).
alter table licence_orders add column payer_id uuid references users, add column agreement_id uuid references payment_agreements;
alter table licence_orders add constraint a_payer_has_an_agreement check ((payer_id is null) = (agreement_id is null)) not valid;
alter table licence_orders validate constraint a_payer_has_an_agreement;

-- Lets the owner of a server spend the money of its payer, to the end of the transaction and by an agreement that is active.
create function pay_for(agreement uuid, host bigint) returns void
language plpgsql as $$
declare
  payer uuid;
begin
  select a.payer_id into payer from host_payers p join payment_agreements a on a.id = p.agreement_id
    where p.host_id = host and p.agreement_id = agreement and a.state = 'active' and actor_owns(p.user_id);
  if payer is null then
    raise exception 'agreement % does not pay for host %', agreement, host using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.payer', payer::text, true);
end $$;

create function payer_owns(owner uuid) returns boolean
language sql stable as $$
  select coalesce(current_setting('app.payer', true) = owner::text, false)
$$;

-- The tables that a charge and its invoice write, and no other.
do $$
declare
  money text;
begin
  foreach money in array array['ledger_accounts', 'balances', 'transactions', 'entries', 'transaction_documents', 'invoices',
    'invoice_snapshots', 'invoice_lines', 'invoice_documents', 'invoice_mails'] loop
    execute format('alter policy inserted_by_owner on %I with check (actor_owns(user_id) or payer_owns(user_id))', money);
    execute format('alter policy updated_by_owner on %I using (actor_owns(user_id) or payer_owns(user_id))
      with check (actor_owns(user_id) or payer_owns(user_id))', money);
  end loop;
end $$;

-- What an agreement has paid in the calendar month (UTC) less what was given back in it, in minor units.
create function spent_by_agreement(agreement uuid) returns bigint
language sql stable as $$
  with month as (select date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' as begins)
  select greatest(0, coalesce((
      select sum(o.total) from licence_orders o, month where o.agreement_id = agreement and o.ordered_at >= month.begins), 0)
    - coalesce((
      select sum(e.amount) from licence_orders o join transactions t on t.reverses = o.transaction_id
        join entries e on e.transaction_id = t.id and e.of_customer, month
      where o.agreement_id = agreement and t.created_at >= month.begins), 0))::bigint
$$;

-- An order is paid by its owner, or by the payer of its agreement as inner spending and within the limit of the month.
create function order_has_its_payer() returns trigger
language plpgsql as $$
declare
  paid transactions;
  agreed payment_agreements;
begin
  select * into paid from transactions where id = new.transaction_id;
  if new.payer_id is null then
    if paid.user_id <> new.user_id then
      raise exception 'order % is paid by another account', new.id using errcode = 'check_violation';
    end if;
    return null;
  end if;
  select * into agreed from payment_agreements where id = new.agreement_id for update;
  if (agreed.state, agreed.owner_id, agreed.payer_id) is distinct from ('active', new.user_id, new.payer_id)
    or not exists (select from host_payers where host_id = new.host_id and agreement_id = new.agreement_id)
    or (paid.user_id, paid.type) is distinct from (new.payer_id, 'inner_spending') then
    raise exception 'order % has no agreement that pays for it', new.id using errcode = 'check_violation';
  end if;
  if agreed.month_limit is not null and spent_by_agreement(new.agreement_id) > agreed.month_limit then
    raise exception 'agreement % has reached its limit', new.agreement_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger order_has_its_payer after insert on licence_orders deferrable initially deferred
  for each row execute function order_has_its_payer();

-- Credits for what a payer has paid are the payer's, also after the end of the agreement: from here on the owner's transaction is the
-- system's, as the credit note is numbered at its end.
create function begin_credit(credited uuid) returns void
language plpgsql as $$
begin
  if not exists (select from licence_orders o where o.transaction_id = credited and o.payer_id is not null and actor_owns(o.user_id)) then
    raise exception 'transaction % did not pay for a server of this account', credited using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.actor', 'system', true);
end $$;
