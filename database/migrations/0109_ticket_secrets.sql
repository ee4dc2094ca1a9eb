-- Parts of messages that the other side opens once (docs/decisions/217). The message names its secret; the text is sealed by SECRET_KEY,
-- and null from the moment at which it was opened or wiped.
create table ticket_secrets (
  id uuid primary key,
  ticket_id bigint not null,
  user_id uuid not null,
  by_staff boolean not null,
  sealed text,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  expires_at timestamptz not null default date_trunc('milliseconds', now()) + interval '30 days',
  opened_at timestamptz,
  opened_by uuid,
  wiped_at timestamptz,
  check ((opened_at is null) = (opened_by is null)),
  check (opened_at is null or wiped_at is null),
  check ((sealed is null) = (opened_at is not null or wiped_at is not null)),
  foreign key (user_id, ticket_id) references tickets (user_id, id) on delete cascade on update cascade
);
create index ticket_secrets_of_ticket on ticket_secrets (ticket_id) where sealed is not null;
create index ticket_secrets_due on ticket_secrets (expires_at) where sealed is not null;
select allow_app('ticket_secrets', 'select, insert, update (ticket_id, sealed, opened_at, opened_by, wiped_at), delete');
select protect_rows('ticket_secrets', 'user_id');
