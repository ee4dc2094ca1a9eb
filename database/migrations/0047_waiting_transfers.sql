-- Bank transfers that wait for their money (decision 032). A customer may cancel one; after a week without money a mail
-- reminds, once.
alter table top_ups
  drop constraint top_ups_status_check,
  add constraint top_ups_status_check
    check (status in ('pending', 'paid', 'failed', 'expired', 'cancelled', 'charged_back')),
  add column reminded_at timestamptz;
select allow_app('top_ups', 'update (reminded_at)');
