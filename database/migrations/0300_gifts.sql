-- What vouchers and goodwill gave is told from money (docs/decisions/151). Owned by features/finance and features/invoices.

-- Of a customer's entry: how much of the amount is a gift, with the sign of the amount. And the operator's side that a spent gift comes from.
alter table entries
  add column gift bigint not null default 0,
  add column is_gift boolean not null default false,
  add constraint gift_is_a_part check (
    gift = 0 or (of_customer and sign(gift) = sign(amount) and abs(gift) <= abs(amount))) not valid,
  add constraint gift_is_not_the_customers check (not (is_gift and (of_customer or is_vat))) not valid;
alter table balances
  add column gift bigint not null default 0,
  add constraint no_gift_twice check (gift >= 0) not valid;

-- Minor units: the gift by which a document is lowered with its VAT (gross), and how much of it lowers the lines (net).
alter table invoices
  add column gift bigint not null default 0,
  add column allowance bigint not null default 0,
  add constraint allowance_is_of_the_gift check (allowance between 0 and gift) not valid;
