-- outside a transaction
create index concurrently users_by_creation on users (created_at, id);
create index concurrently users_by_login on users (coalesce(last_login_at, created_at), id);
create index concurrently balances_by_amount on balances (balance, user_id);
create index concurrently hosts_by_ipv4 on hosts (ipv4) where deleted_at is null;
create index concurrently hosts_by_name on hosts (lower(name) text_pattern_ops) where deleted_at is null;
create index concurrently addresses_by_beginning on email_addresses (email text_pattern_ops);
create index concurrently profiles_by_part_of_company on profiles using gin (parts_of(company)) where company <> '';
