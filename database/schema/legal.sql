-- The tables of features/legal with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

create table acceptances (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  document text not null,
  -- The operator's name for the terms; for a beginning at once, the page that was shown about it.
  version text not null,
  context text not null,
  order_id uuid,
  at timestamp with time zone default clock_timestamp() not null,
  constraint acceptances_pkey primary key (id),
  constraint acceptances_order_id_fkey foreign key (order_id) references licence_orders(id),
  constraint acceptances_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint acceptances_check check (document <> 'begin_now'::text or order_id is not null),
  constraint acceptances_context_check check (context = any (array['sign_up'::text, 'order'::text, 'prompt'::text])),
  constraint acceptances_document_check check (document = any (array['terms'::text, 'begin_now'::text])),
  constraint acceptances_version_check check (length(version) >= 1 and length(version) <= 2000)
);
create unique index acceptances_of_orders on acceptances (order_id) where document = 'begin_now'::text;
create unique index acceptances_of_terms on acceptances (user_id, version) where document = 'terms'::text;
create index acceptances_of_user on acceptances (user_id, at);
grant insert, select on acceptances to hostdesk_app;
alter table acceptances enable row level security;
alter table acceptances force row level security;
create policy deleted_by_owner on acceptances for delete using (actor_owns(user_id));
create policy inserted_by_owner on acceptances for insert with check (actor_owns(user_id));
create policy readable on acceptances for select using (true);
create policy updated_by_owner on acceptances for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger acceptances_are_append_only before delete or update on acceptances for each row execute function refuse_change_of_accounts();
create trigger acceptances_are_not_truncated before truncate on acceptances for each statement execute function refuse_change();

create table withdrawal_refunds (
  withdrawal_id uuid not null,
  user_id uuid not null,
  refund_transaction_id uuid not null,
  at timestamp with time zone default clock_timestamp() not null,
  constraint withdrawal_refunds_pkey primary key (withdrawal_id),
  constraint withdrawal_refunds_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint withdrawal_refunds_withdrawal_id_fkey foreign key (withdrawal_id) references withdrawals(id) on delete cascade
);
create index withdrawal_refunds_of_user on withdrawal_refunds (user_id);
grant insert, select on withdrawal_refunds to hostdesk_app;
alter table withdrawal_refunds enable row level security;
alter table withdrawal_refunds force row level security;
create policy deleted_by_owner on withdrawal_refunds for delete using (actor_owns(user_id));
create policy inserted_by_owner on withdrawal_refunds for insert with check (actor_owns(user_id));
create policy readable on withdrawal_refunds for select using (true);
create policy updated_by_owner on withdrawal_refunds for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger withdrawal_refunds_are_append_only before delete or update on withdrawal_refunds for each row execute function refuse_change_of_accounts();
create trigger withdrawal_refunds_are_not_truncated before truncate on withdrawal_refunds for each statement execute function refuse_change();

-- Orders that consumers withdrew from within 14 days (docs/decisions/080), and the refunds that followed.
-- Both are evidence: rows are added and never changed.
create table withdrawals (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  -- Withdrawn from once.
  order_id uuid not null,
  -- The payment of the order.
  transaction_id uuid not null,
  declared_at timestamp with time zone not null,
  -- The part of the payment for the time that was not used, in minor units.
  proposed_refund bigint not null,
  currency text not null,
  constraint withdrawals_pkey primary key (id),
  constraint withdrawals_order_id_key unique (order_id),
  constraint withdrawals_order_id_fkey foreign key (order_id) references licence_orders(id),
  constraint withdrawals_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint withdrawals_currency_check check (currency ~ '^[A-Z]{3}$'::text),
  constraint withdrawals_proposed_refund_check check (proposed_refund >= 0)
);
create index withdrawals_by_time on withdrawals (declared_at, id);
create index withdrawals_of_transaction on withdrawals (transaction_id);
create index withdrawals_of_user on withdrawals (user_id);
grant insert, select on withdrawals to hostdesk_app;
alter table withdrawals enable row level security;
alter table withdrawals force row level security;
create policy deleted_by_owner on withdrawals for delete using (actor_owns(user_id));
create policy inserted_by_owner on withdrawals for insert with check (actor_owns(user_id));
create policy readable on withdrawals for select using (true);
create policy updated_by_owner on withdrawals for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger withdrawals_are_append_only before delete or update on withdrawals for each row execute function refuse_change_of_accounts();
create trigger withdrawals_are_not_truncated before truncate on withdrawals for each statement execute function refuse_change();
