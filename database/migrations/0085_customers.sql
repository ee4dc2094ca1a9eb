-- The staff's view of customers. Owned by features/customers.

create table customer_notes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  author_id uuid references users on delete set null,
  text text not null check (length(text) between 1 and 40000),
  pinned boolean not null default false,
  created_at timestamptz not null default now(),
  version integer not null default 1
);
create index customer_notes_of_user on customer_notes (user_id, pinned, created_at);
create trigger count_edit before update on customer_notes for each row execute function count_edit();
select allow_app('customer_notes', 'select, insert, update, delete');
select protect_rows('customer_notes', 'user_id');

-- What a list of customers shows and sorts by, from the tables of their owners: nothing has to be kept in step. The caller's
-- own rights count, as if they read the tables themselves. The counts are computed for the rows of a page only.
create view customer_list with (security_invoker = true) as
select u.id as user_id, u.email, u.created_at, u.last_login_at, u.is_staff, p.name, p.middle_name, p.surname, p.company, p.country,
  b.currency, b.balance,
  exists (select from email_addresses e where e.user_id = u.id and e.verified_at is not null) as is_proven,
  (select count(*)::int from hosts h where h.user_id = u.id and h.deleted_at is null) as hosts,
  (select count(*)::int from tickets t where t.user_id = u.id and t.status <> 'closed') as open_tickets
from users u join profiles p on p.user_id = u.id left join balances b on b.user_id = u.id
where u.is_active;
select allow_app('customer_list', 'select');
