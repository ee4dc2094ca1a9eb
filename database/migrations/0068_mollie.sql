-- Another provider of payments (docs/decisions/195).
alter table top_ups drop constraint top_ups_provider_check,
  add constraint top_ups_provider_check check (provider in ('test', 'bank', 'stripe', 'mollie'));
