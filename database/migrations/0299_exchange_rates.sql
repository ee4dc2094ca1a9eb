-- The rates by which documents in another currency state their VAT in that of the seller's state (docs/decisions/148). Owned by
-- features/invoices.
create table exchange_rates (
  day date not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The units of the currency that one euro is worth.
  per_euro numeric not null check (per_euro > 0),
  -- The publisher, as documents name it.
  source text not null check (length(source) between 1 and 100),
  taken_at timestamptz not null default now(),
  primary key (day, currency)
);
select allow_app('exchange_rates', 'select, insert');
