-- Sales to consumers elsewhere in the EU that are taxed at home, because all of them are few (docs/decisions/148). Owned by features/invoices.
alter table invoices add column below_threshold boolean not null default false,
  add constraint only_taxed_at_home_below_the_threshold
    check (not below_threshold or vat_kind in ('standard', 'small_business')) not valid;

-- What staff were told about the limits of a seller, once a year each.
create table limit_notices (
  name text not null,
  year smallint not null,
  state text not null check (state in ('near', 'passed')),
  told_at timestamptz not null default now(),
  primary key (name, year, state)
);
select allow_app('limit_notices', 'select, insert');
