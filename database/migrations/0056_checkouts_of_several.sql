-- Orders for several servers that wait for their money (docs/decisions/187).
alter table checkouts drop constraint checkouts_purpose_check,
  add constraint checkouts_purpose_check check (purpose in ('order', 'renewal', 'upgrade', 'top_up', 'bulk'));
