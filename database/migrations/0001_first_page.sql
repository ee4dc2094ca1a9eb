-- The page on which a member of staff begins. Everybody else begins with the list of servers.
alter table users add column first_page text not null default 'servers'
  constraint first_page_is_known check (first_page in ('servers', 'tickets', 'today'));
