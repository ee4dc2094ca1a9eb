-- Amounts in these currencies were stored with the digits of Intl. With those of ISO 4217 each of them would be read as a hundredth
-- or a thousandth, and booked amounts cannot be changed: a database that holds any stays with the release before.
do $$
declare
  found text := (
    select min(currency) from ledger_accounts
    where currency in (
      'AFN', 'ALL', 'COP', 'HUF', 'IDR', 'IQD', 'IRR', 'KPW', 'LAK', 'LBP', 'MGA', 'MMK', 'PKR', 'SOS', 'SYP', 'YER'
    )
  );
begin
  if found is not null then
    raise exception 'amounts in % were stored without the digits of ISO 4217, and this release would read them as a part of themselves: see decision 141', found;
  end if;
end
$$;
