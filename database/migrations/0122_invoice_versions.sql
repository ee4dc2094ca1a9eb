-- A sale may have several invoices: each but the newest was cancelled by a credit note (docs/decisions/083). Owned by features/invoices.

-- Of an invoice and of the credit note that cancelled the one before it: 2 and up. They belong to the transaction of the sale.
-- The document of a transaction's own booking, a sale or a refund, is version 1.
alter table invoices
  add column version smallint not null default 1,
  add constraint invoices_version_check check (version > 0) not valid;

create or replace view ledger_documents with (security_invoker = true) as
select i.id, i.public_id, i.transaction_id, i.user_id, i.currency, i.vat_country as country, i.issued_at,
  case i.kind when 'invoice' then i.vat else -i.vat end as vat,
  case i.kind when 'invoice' then i.total else -i.total end as total, i.kind, i.version
from invoices i;

-- Later versions move VAT when they are issued, or leave it where it stands.
create or replace view unsplit_documents with (security_invoker = true) as
select d.id, d.public_id, d.transaction_id, d.user_id, d.currency, d.country, d.issued_at, d.vat, d.total, d.kind, d.version
from ledger_documents d join transactions t
  on t.id = d.transaction_id and t.user_id = d.user_id and t.currency = d.currency
where d.vat <> 0 and d.version = 1
  and (select true from entries e where e.transaction_id = d.transaction_id and not e.of_customer and e.is_vat limit 1) is null
  and (select true from transactions s where s.splits = d.transaction_id and s.splits_document = d.public_id limit 1) is null;

create or replace function add_up(invoice bigint) returns void language plpgsql as $$
declare
  head invoices;
begin
  select * into head from invoices where id = invoice;
  if (select sum(price) from invoice_lines where invoice_id = invoice) is distinct from head.net then
    raise exception 'the lines of invoice % are not its net', head.number using errcode = 'check_violation';
  end if;
  if head.credit_note_of is not null
     and (select sum(total) from invoices where credit_note_of = head.credit_note_of)
       > (select total from invoices where id = head.credit_note_of) then
    raise exception 'credit note % gives back more than was paid', head.number using errcode = 'check_violation';
  end if;
  -- Two invoices of one sale must never both be owed.
  if head.kind = 'invoice' and head.version > 1 and not exists (
    select from invoices o
    where o.transaction_id = head.transaction_id and o.kind = 'invoice' and o.version = head.version - 1 and o.user_id = head.user_id
      and o.total = (select sum(c.total) from invoices c where c.credit_note_of = o.id)) then
    raise exception 'invoice % replaces one that is not cancelled', head.number using errcode = 'check_violation';
  end if;
end $$;
