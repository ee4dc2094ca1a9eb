-- Spendings and their refunds may have a third side, for VAT (docs/decisions/081).

alter table entries
  drop constraint entries_pkey,
  add constraint entries_pkey primary key using index entries_by_side;
alter table transactions validate constraint splits_its_own, validate constraint splits_a_document;
alter table entries validate constraint vat_is_not_the_customers;

create or replace function book_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  owner uuid;
  account_kind text;
  rule transaction_types;
  booked balances;
begin
  select kind, user_id into account_kind, owner from ledger_accounts where id = new.account_id;
  select t.* into rule from transactions x join transaction_types t on t.type = x.type where x.id = new.transaction_id;
  new.type := rule.type;
  new.user_id := owner;
  new.is_vat := account_kind = 'vat';
  new.seq := null;
  new.balance_after := null;
  new.created_at := date_trunc('milliseconds', clock_timestamp());
  if account_kind = 'customer' then
    -- The sign of a split is 0, and no amount is: it cannot touch a customer's account.
    if sign(new.amount) <> rule.sign then
      raise exception '% does not move a customer''s account by %', rule.type, new.amount using errcode = 'check_violation';
    end if;
    if not exists (select from balances where account_id = new.account_id) then
      insert into balances (account_id, user_id, currency) values (new.account_id, owner, new.currency) on conflict do nothing;
    end if;
    update balances set
      balance = balance + new.amount,
      allow_negative = balance + new.amount < 0 and (new.type = 'charge_back' or allow_negative),
      last_seq = last_seq + 1,
      last_at = greatest(date_trunc('milliseconds', clock_timestamp()), last_at)
    where account_id = new.account_id returning * into booked;
    new.seq := booked.last_seq;
    new.balance_after := booked.balance;
    new.created_at := booked.last_at;
  -- VAT stands beside revenue only, and moves its way.
  elsif (case when new.is_vat then 'revenue' else account_kind end) <> rule.counterpart or sign(new.amount) = rule.sign then
    raise exception '% does not move % by %', rule.type, account_kind, new.amount using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Looked at when the database's transaction commits: the sides cancel out, one is the customer's (of a split: none), one or
-- two are the operator's, all in the currency of the head; and what is taken back was there to be taken. The customer's balance is
-- locked by then, so that of two refunds at once the second sees the first.
create or replace function balance_transaction() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  rule transaction_types;
  sides int;
  own int;
  operators int;
  total numeric;
  origin_type text;
  taken_back numeric;
begin
  select * into rule from transaction_types where type = new.type;
  select count(*), count(*) filter (where currency = new.currency and user_id = new.user_id),
      count(*) filter (where currency = new.currency and user_id is null), sum(amount)
    into sides, own, operators, total from entries where transaction_id = new.id;
  if total is distinct from 0 or own + operators <> sides
     or not (case when rule.sign = 0 then own = 0 and operators = 2 else own = 1 and operators in (1, 2) end) then
    raise exception 'transaction % has % sides, which come to %', new.id, sides, total using errcode = 'check_violation';
  end if;
  if new.splits is not null and not exists (
    select from transactions x join transaction_types t on t.type = x.type
    where x.id = new.splits and t.counterpart = 'revenue' and t.sign <> 0) then
    raise exception '% % takes VAT out of what is no revenue, which does not move it', new.type, new.id using errcode = 'check_violation';
  end if;
  if new.reverses is null then
    if rule.must_reverse then
      raise exception '% % takes nothing back', new.type, new.id using errcode = 'check_violation';
    end if;
    return null;
  end if;
  select type into origin_type from transactions where id = new.reverses;
  select sum(e.amount) into taken_back from transactions t join entries e on e.transaction_id = t.id and e.of_customer
    where t.id = new.reverses or t.reverses = new.reverses;
  if origin_type is distinct from rule.reverses or taken_back * rule.sign > 0 then
    raise exception '% % takes back what is not there', new.type, new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;

-- The key leaves room for one side more, so that looking at heads is not enough: nothing joins a transaction that is booked
-- already, for one more side alone cannot come to nothing.
create function balance_sides() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  sides int;
  total numeric;
begin
  select count(*), sum(amount) into sides, total from entries where transaction_id = new.transaction_id;
  if total <> 0 then
    raise exception 'transaction % has % sides, which come to %', new.transaction_id, sides, total using errcode = 'check_violation';
  end if;
  return null;
end $$;
-- A side of the customer alone joins nothing: every transaction of theirs has it, and a split may have none.
create constraint trigger sides_are_balanced after insert on entries
  deferrable initially deferred for each row when (not new.of_customer) execute function balance_sides();

-- Documents whose VAT stands in revenue, because their spending or refund was booked before VAT had accounts of its own. Each is
-- looked up by the keys: as joins the two questions took half a minute, as long as the statistics knew of no VAT in the ledger.
create view unsplit_documents with (security_invoker = true) as
select d.* from ledger_documents d join transactions t
  on t.id = d.transaction_id and t.user_id = d.user_id and t.currency = d.currency
where d.vat <> 0
  and (select true from entries e where e.transaction_id = d.transaction_id and not e.of_customer and e.is_vat limit 1) is null
  and (select true from transactions s where s.splits = d.transaction_id and s.splits_document = d.public_id limit 1) is null;
select allow_app('unsplit_documents', 'select');
