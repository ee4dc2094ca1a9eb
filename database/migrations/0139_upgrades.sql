-- A running licence may be exchanged for a higher edition: the period is cut, and another order buys the rest of its time
-- (docs/decisions/095). Owned by features/licences.
alter table licence_orders
  drop constraint licence_orders_kind_check,
  add constraint licence_orders_kind_check check (kind in ('order', 'renewal', 'auto_renewal', 'upgrade')) not valid;

alter table paid_periods
  drop constraint paid_periods_ended_check,
  add constraint paid_periods_ended_check check (ended in ('refunded', 'deleted', 'upgraded')) not valid;
