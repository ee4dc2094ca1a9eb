-- VAT has accounts of its own in the ledger, one for each country and currency (docs/decisions/081). Owned by features/finance.

alter table ledger_accounts
  drop constraint ledger_accounts_kind_check,
  add constraint ledger_accounts_kind_check check (kind in ('customer', 'payments', 'promotions', 'revenue', 'vat')),
  -- The name of an account for VAT is the country that it is owed to.
  add constraint vat_account_of_a_country check (kind <> 'vat' or name ~ '^[A-Z]{2}$');

-- Moves the VAT of a document that was issued before there were such accounts out of revenue. It touches no customer's account.
alter table transaction_types
  drop constraint transaction_types_sign_check,
  add constraint transaction_types_sign_check check (sign in (-1, 0, 1));
alter table transaction_types disable trigger transaction_types_are_fixed;
insert into transaction_types (type, sign, counterpart, reverses, must_reverse) values ('vat_split', 0, 'revenue', null, false);
alter table transaction_types enable trigger transaction_types_are_fixed;

alter table transactions
  -- The transaction whose VAT this one moves out of revenue, and the document (its public id) that says how much it is.
  add column splits uuid,
  add column splits_document text,
  add constraint splits_its_own foreign key (splits, user_id, currency) references transactions (id, user_id, currency) not valid,
  add constraint splits_a_document check (
    (type = 'vat_split') = (splits is not null) and (splits is null) = (splits_document is null)) not valid;

alter table entries
  add column is_vat boolean not null default false,
  add constraint vat_is_not_the_customers check (not (is_vat and of_customer)) not valid;

-- What the ledger has to know of documents: each with the signs of the operator's side, as its VAT stands there.
create view ledger_documents with (security_invoker = true) as
select i.id, i.public_id, i.transaction_id, i.user_id, i.currency, i.vat_country as country, i.issued_at,
  case i.kind when 'invoice' then i.vat else -i.vat end as vat,
  case i.kind when 'invoice' then i.total else -i.total end as total
from invoices i;
select allow_app('ledger_documents', 'select');
