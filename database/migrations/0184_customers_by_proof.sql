-- The list of customers asked of each page whether its accounts have a proven address, and read all addresses for it: PostgreSQL
-- turns an `exists` into a table of everybody. A scalar with a limit is asked for the rows of the page only. Owned by
-- features/customers.
create or replace view customer_list with (security_invoker = true) as
select u.id as user_id, u.email, u.created_at, u.last_login_at, u.is_staff, p.name, p.middle_name, p.surname, p.company, p.country,
  b.currency, b.balance,
  coalesce((select true from email_addresses e where e.user_id = u.id and e.verified_at is not null limit 1), false) as is_proven,
  (select count(*)::int from hosts h where h.user_id = u.id and h.deleted_at is null) as hosts,
  (select count(*)::int from tickets t where t.user_id = u.id and t.status <> 'closed') as open_tickets,
  u.access
from users u join profiles p on p.user_id = u.id left join balances b on b.user_id = u.id
where u.is_active;

-- Accounts without a proven address, who are few: those that claim one, and those that lost theirs to the account that proved it.
create view unproven_accounts with (security_invoker = true) as
select claims.user_id
from (
  select user_id from email_addresses where verified_at is null
  union select id from users where email like '%@unproven.invalid'
) claims
where not exists (select from email_addresses e where e.user_id = claims.user_id and e.verified_at is not null);
select allow_app('unproven_accounts', 'select');
