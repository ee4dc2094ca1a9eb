-- Tickets that were merged into another one of the same customer (docs/decisions/218): they are closed and point there.
alter table tickets
  add column merged_into_id bigint,
  -- How many tickets point here, so that a ticket to which none does is not asked about them.
  add column merged_count integer not null default 0;

-- Both tickets as they were: an undoing needs that.
create table ticket_merges (
  ticket_id bigint primary key,
  user_id uuid not null,
  into_id bigint not null,
  merged_at timestamptz not null default date_trunc('milliseconds', now()),
  -- The columns of the ticket that closed, as they were.
  before jsonb not null,
  -- The columns of the ticket that goes on, as they were and as they became; it goes back only where nothing changed it since.
  into_before jsonb not null,
  into_after jsonb not null,
  foreign key (user_id, ticket_id) references tickets (user_id, id) on delete cascade on update cascade
);
create index ticket_merges_into on ticket_merges (into_id);
select allow_app('ticket_merges', 'select, insert, delete');
select protect_rows('ticket_merges', 'user_id');

-- A closed ticket keeps no secret, whoever closes it, nor do those that were merged into it. A merged one is read on beside the other.
create function wipe_secrets() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update ticket_secrets set sealed = null, wiped_at = date_trunc('milliseconds', now())
  where sealed is not null and (ticket_id = new.id or ticket_id in (select m.ticket_id from ticket_merges m where m.into_id = new.id));
  return null;
end $$;
create trigger closing_wipes_secrets after update of status on tickets for each row
  when (new.status = 'closed' and old.status <> 'closed' and new.merged_into_id is null)
  execute function wipe_secrets();
