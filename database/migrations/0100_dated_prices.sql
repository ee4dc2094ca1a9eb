-- A price that a plan will have from a time on, and vouchers that staff made or voided. Owned by features/licences and features/finance.

alter table plans
  add column version integer not null default 1,
  add column next_price_net bigint constraint next_price_is_possible check (next_price_net > 0 and next_price_net <= 100000000000),
  add column next_price_at timestamptz,
  add constraint next_price_has_a_time check ((next_price_net is null) = (next_price_at is null));

alter table vouchers
  -- For staff, who see it instead of the code.
  add column note text not null default '' check (length(note) <= 800),
  -- A member of staff; null for the command line.
  add column made_by uuid references users on delete set null,
  add column voided_at timestamptz,
  add column voided_by uuid references users on delete set null,
  add column void_reason text check (length(void_reason) between 1 and 800),
  add constraint void_has_a_reason check ((voided_at is null) = (void_reason is null));

-- A voucher keeps its value, and is voided once.
create function keep_voucher() returns trigger language plpgsql as $$
begin
  if (new.id, new.code_hash, new.amount, new.currency, new.uses, new.expires_at, new.created_at, new.note)
    is distinct from (old.id, old.code_hash, old.amount, old.currency, old.uses, old.expires_at, old.created_at, old.note)
    or (old.voided_at is not null and (new.voided_at, new.void_reason) is distinct from (old.voided_at, old.void_reason)) then
    raise exception 'a voucher is only voided, once' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger keep_voucher before update on vouchers for each row execute function keep_voucher();
select allow_app('vouchers', 'update (voided_at, voided_by, void_reason)');

-- The servers that will renew by themselves, each with the plan that it buys then, from the tables of their owners.
create view plan_renewals with (security_invoker = true) as
select o.plan, h.id as host_id, h.user_id, p.ends_at, w.announced_net
from hosts h
join paid_periods p on p.host_id = h.id and p.ends_at = h.paid_until and p.ends_at > p.starts_at
join licence_orders o on o.id = p.order_id
left join licence_watches w on w.host_id = h.id
where h.auto_renew and h.deleted_at is null;
select allow_app('plan_renewals', 'select');
