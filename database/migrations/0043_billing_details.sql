-- How a customer wants to get invoices. Owned by features/invoices.

create table billing_details (
  user_id uuid primary key references users,
  -- Where invoices go besides the account; used once it is proven as an address of the account, '' for the primary one.
  email text not null default '' check (length(email) <= 254),
  buyer_reference text not null default '' check (length(buyer_reference) <= 100),
  order_reference text not null default '' check (length(order_reference) <= 100),
  -- Whether the mail carries the documents.
  send_pdf boolean not null default true,
  changed_at timestamptz not null default now()
);
select allow_app('billing_details', 'select, insert, update, delete');
select protect_rows('billing_details', 'user_id');

-- The invoices that a mail tells of: one mail for each, whatever is tried again.
create table invoice_mails (
  invoice_id bigint primary key,
  user_id uuid not null,
  foreign key (user_id, invoice_id) references invoices (user_id, id)
);
select allow_app('invoice_mails', 'select, insert');
select protect_rows('invoice_mails', 'user_id');
