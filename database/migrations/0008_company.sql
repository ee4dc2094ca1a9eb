-- Whom invoices are written to, where that is a company. Owned by features/profile.

alter table profiles
  add column company text not null default '' check (length(company) <= 200),
  -- Without blanks, as features/profile/rules.ts writes it.
  add column vat_id text not null default '' check (vat_id ~ '^([A-Z]{2}[A-Z0-9+*]{2,28})?$');
