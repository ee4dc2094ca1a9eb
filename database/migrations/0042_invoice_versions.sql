-- Documents may be made again where the first did not validate: another version, beside the first.

alter table invoice_documents
  add column version smallint not null default 1 check (version > 0);
alter table invoice_documents drop constraint invoice_documents_pkey;
alter table invoice_documents add primary key (invoice_id, version, format);

-- What the buyer wants to read on the invoice: the reference of the buyer (BT-10) and of the order (BT-13).
alter table invoice_snapshots
  add column buyer_reference text not null default '' check (length(buyer_reference) <= 100),
  add column order_reference text not null default '' check (length(order_reference) <= 100);
