-- Gifts are spent first, come back as gifts, and lower what is declared (docs/decisions/151).

alter table entries
  drop constraint entries_pkey,
  add constraint entries_pkey primary key using index entries_by_side_and_gift;
alter table entries validate constraint gift_is_a_part, validate constraint gift_is_not_the_customers;

-- Balances of before: what their history left of gifts, by the rule that holds from now on. Nobody books meanwhile, as the table is locked.
alter table entries disable trigger entries_are_append_only;
alter table balances disable trigger balances_follow_entries;
do $$
declare
  held record;
  moved record;
  given bigint;
  part bigint;
  spent entries;
  back record;
begin
  for held in
    select a.id from ledger_accounts a where exists (
      select from transactions t where t.user_id = a.user_id and t.currency = a.currency and t.type = 'fill_balance_voucher')
  loop
    given := 0;
    for moved in
      select e.transaction_id, e.type, e.amount, e.seq, t.reverses, t.description ->> 'code' as code
      from entries e join transactions t on t.id = e.transaction_id where e.account_id = held.id order by e.seq
    loop
      part := 0;
      if moved.type = 'fill_balance_voucher' and moved.code is distinct from 'written_off' then
        part := moved.amount;
      elsif moved.type in ('spend', 'inner_spending') then
        part := -least(given, -moved.amount);
      elsif moved.type in ('return_on_balance', 'inner_refund') then
        select * into spent from entries where transaction_id = moved.reverses and of_customer;
        select coalesce(sum(e.amount), 0) as amount, coalesce(sum(e.gift), 0) as gift into back
          from transactions r join entries e on e.transaction_id = r.id and e.of_customer where r.reverses = moved.reverses and e.seq < moved.seq;
        part := div(-spent.gift * (back.amount + moved.amount), -spent.amount) - back.gift;
      end if;
      if part <> 0 then
        update entries set gift = part where transaction_id = moved.transaction_id and of_customer;
        given := given + part;
      end if;
    end loop;
    update balances set gift = given where account_id = held.id and given <> 0;
  end loop;
end $$;
alter table entries enable trigger entries_are_append_only;
alter table balances enable trigger balances_follow_entries;
alter table balances validate constraint no_gift_twice;

create or replace function book_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  owner uuid;
  account_kind text;
  rule transaction_types;
  booked balances;
  head transactions;
  held bigint;
  spent record;
begin
  select kind, user_id into account_kind, owner from ledger_accounts where id = new.account_id;
  select * into head from transactions where id = new.transaction_id;
  select * into rule from transaction_types where type = head.type;
  new.type := rule.type;
  new.user_id := owner;
  new.is_vat := account_kind = 'vat';
  new.is_gift := account_kind = 'promotions' and rule.counterpart = 'revenue';
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
    select gift into held from balances where account_id = new.account_id for update;
    if rule.counterpart = 'promotions' then
      -- A debt that is written off is given up, and leaves nothing to spend.
      new.gift := case when head.description ->> 'code' = 'written_off' then 0 else new.amount end;
    elsif rule.counterpart <> 'revenue' then
      new.gift := 0;
    elsif rule.sign < 0 then
      new.gift := -least(held, -new.amount);
    else
      -- What was spent comes back as what it was: at most the gift that is not back yet as a gift, at most the money as money.
      select -o.amount as amount, -o.gift as gift, coalesce(b.amount, 0) as amount_back, coalesce(b.gift, 0) as gift_back into spent
        from entries o, lateral (
          select sum(e.amount) as amount, sum(e.gift) as gift from transactions r join entries e on e.transaction_id = r.id and e.of_customer
          where r.reverses = head.reverses and r.id <> head.id) b
        where o.transaction_id = head.reverses and o.of_customer;
      new.gift := least(spent.gift - spent.gift_back, new.amount, greatest(new.gift,
        new.amount - (spent.amount - spent.gift - (spent.amount_back - spent.gift_back))));
    end if;
    update balances set
      balance = balance + new.amount,
      gift = gift + new.gift,
      allow_negative = balance + new.amount < 0 and (new.type = 'charge_back' or allow_negative),
      last_seq = last_seq + 1,
      last_at = greatest(date_trunc('milliseconds', clock_timestamp()), last_at)
    where account_id = new.account_id returning * into booked;
    new.seq := booked.last_seq;
    new.balance_after := booked.balance;
    new.created_at := booked.last_at;
  else
    new.gift := 0;
    -- VAT stands beside revenue only, and so does the side of a spent gift; both move its way.
    if (case when new.is_vat or new.is_gift then 'revenue' else account_kind end) <> rule.counterpart or sign(new.amount) = rule.sign then
      raise exception '% does not move % by %', rule.type, account_kind, new.amount using errcode = 'check_violation';
    end if;
  end if;
  return new;
end $$;

-- As before, with one side more: the gift that a spending took or a refund gives back comes out of what the operator gave away. A sale of
-- before has no such side, nor has one of the release before, and its refunds have none either.
create or replace function balance_transaction() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  rule transaction_types;
  sides int;
  own int;
  operators int;
  total numeric;
  gift_moved numeric;
  gift_side numeric;
  origin_type text;
  taken_back numeric;
begin
  select * into rule from transaction_types where type = new.type;
  select count(*), count(*) filter (where currency = new.currency and user_id = new.user_id),
      count(*) filter (where currency = new.currency and user_id is null), sum(amount), coalesce(sum(gift), 0),
      coalesce(sum(amount) filter (where is_gift), 0)
    into sides, own, operators, total, gift_moved, gift_side from entries where transaction_id = new.id;
  if total is distinct from 0 or own + operators <> sides
     or not (case when rule.sign = 0 then own = 0 and operators = 2 else own = 1 and operators in (1, 2, 3) end) then
    raise exception 'transaction % has % sides, which come to %', new.id, sides, total using errcode = 'check_violation';
  end if;
  if (gift_side <> 0 and gift_side <> -gift_moved) or (rule.sign > 0 and rule.counterpart = 'revenue' and gift_moved <> 0
     and (gift_side <> 0) <> exists (select from entries where transaction_id = new.reverses and is_gift)) then
    raise exception 'transaction % moves a gift of % and books %', new.id, gift_moved, gift_side using errcode = 'check_violation';
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

create or replace view ledger_documents with (security_invoker = true) as
select i.id, i.public_id, i.transaction_id, i.user_id, i.currency, i.vat_country as country, i.issued_at,
  case i.kind when 'invoice' then i.vat else -i.vat end as vat,
  case i.kind when 'invoice' then i.total else -i.total end as total, i.kind, i.version,
  case i.kind when 'invoice' then i.gift else -i.gift end as gift
from invoices i;

-- The lines of a document are its net and what a gift has lowered it by; money is credited as money, and gifts as gifts.
create or replace function add_up(invoice bigint) returns void language plpgsql as $$
declare
  head invoices;
begin
  select * into head from invoices where id = invoice;
  if (select sum(price) from invoice_lines where invoice_id = invoice) is distinct from head.net + head.allowance then
    raise exception 'the lines of invoice % are not its net', head.number using errcode = 'check_violation';
  end if;
  if exists (
    select from invoices o join invoices c on c.credit_note_of = o.id where o.id = head.credit_note_of group by o.id
    having sum(c.total) > o.total or sum(c.gift) > o.gift or sum(c.allowance) > o.allowance) then
    raise exception 'credit note % gives back more than was paid', head.number using errcode = 'check_violation';
  end if;
  -- Two invoices of one sale must never both be owed.
  if head.kind = 'invoice' and head.version > 1 and not exists (
    select from invoices o
    where o.transaction_id = head.transaction_id and o.kind = 'invoice' and o.version = head.version - 1 and o.user_id = head.user_id
      and (o.total, o.gift) = (select sum(c.total), sum(c.gift) from invoices c where c.credit_note_of = o.id)) then
    raise exception 'invoice % replaces one that is not cancelled', head.number using errcode = 'check_violation';
  end if;
end $$;

-- What was sold is worth its price, whoever paid it: money or a gift.
create or replace function documented_net(customer uuid, sale uuid) returns bigint language sql stable as $$
  select sum(i.net + i.allowance - coalesce((
    select sum(c.net + c.allowance) from invoices c where c.credit_note_of = i.id and c.user_id = i.user_id), 0))::bigint
  from invoices i where i.transaction_id = sale and i.user_id = customer and i.kind = 'invoice'
$$;
