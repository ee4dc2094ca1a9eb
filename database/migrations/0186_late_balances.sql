-- A debt of an account that was merged into another one moves there: it is taken from that balance as it was taken from the other one, and
-- takes back no payment of that one.
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
  if gift_side <> (case when rule.counterpart = 'revenue' then -gift_moved else 0 end) then
    raise exception 'transaction % moves a gift of % and books %', new.id, gift_moved, gift_side using errcode = 'check_violation';
  end if;
  if new.splits is not null and not exists (
    select from transactions x join transaction_types t on t.type = x.type
    where x.id = new.splits and t.counterpart = 'revenue' and t.sign <> 0) then
    raise exception '% % takes VAT out of what is no revenue, which does not move it', new.type, new.id using errcode = 'check_violation';
  end if;
  if new.reverses is null then
    if rule.must_reverse and not (new.type = 'charge_back' and new.description ->> 'code' = 'merge') then
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

-- What came to a merged account, or was taken from it, since its merge, and went on to the account that stays: so that it goes back with an undoing.
create table late_balances (
  id bigint generated always as identity primary key,
  -- The account that was merged.
  user_id uuid not null references users,
  -- The bookings, by features/finance.
  moved jsonb not null,
  moved_at timestamptz not null default clock_timestamp()
);
create index late_balances_of on late_balances (user_id, id);
select allow_app('late_balances', 'select, insert, delete');
select protect_rows('late_balances', 'user_id');
