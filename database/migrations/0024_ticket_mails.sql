-- Up to which message, in the customer's count, they were told by mail that replies wait. Owned by features/chat.

create table ticket_mails (
  ticket_id bigint primary key,
  user_id uuid not null,
  seq integer not null,
  foreign key (user_id, ticket_id) references tickets (user_id, id) on delete cascade
);
select allow_app('ticket_mails', 'select, insert, update, delete');
select protect_rows('ticket_mails', 'user_id');
