-- Helpers who pay from the owner's balance, up to a limit a month (docs/decisions/100). Owned by features/sharing.
alter table account_grants drop constraint account_grants_role_check;
alter table account_grants add constraint account_grants_role_check check (role in ('technical', 'billing', 'full')) not valid;
alter table account_grants validate constraint account_grants_role_check;
-- In minor units; without it the balance is the limit.
alter table account_grants add column month_limit bigint check (month_limit > 0);
-- Money is the whole account's.
alter table account_grants add constraint paying_helpers_have_all check (role = 'technical' or all_hosts) not valid;
alter table account_grants validate constraint paying_helpers_have_all;

-- By month, of which the first day (UTC) stands here.
create table grant_spending (
  grant_id uuid not null,
  owner_id uuid not null,
  month date not null,
  spent bigint not null check (spent >= 0),
  primary key (grant_id, month),
  foreign key (owner_id, grant_id) references account_grants (owner_id, id) on delete cascade
);
create index grant_spending_of_owner on grant_spending (owner_id, grant_id);
select allow_app('grant_spending', 'select, insert, update, delete');
select protect_rows('grant_spending', 'owner_id');
