-- A payment that staff booked by mistake, and that was taken back, is no chargeback (docs/decisions/150). Owned by features/finance.
alter table top_ups
  drop constraint top_ups_status_check,
  add constraint top_ups_status_check
    check (status in ('pending', 'paid', 'failed', 'expired', 'cancelled', 'charged_back', 'corrected'));
