-- A message can lose its content (docs/decisions/217): removed for good, or moved to another ticket. Its number, author and time stay.
alter table ticket_messages
  -- The content that was removed, with the time and the person: {at, by, by_staff, text, files}.
  add column redacted jsonb,
  -- The ticket to which it went: {id, number}.
  add column moved jsonb,
  -- The part of it that only the other side opens, once.
  add column secret_id uuid;

-- A message stays as it was said: it may lose content, and never gets another.
create function keep_message() returns trigger language plpgsql as $$
begin
  if (old.ticket_id, old.seq, old.customer_seq, old.author_id, old.by_staff, old.client_id, old.created_at)
      is distinct from (new.ticket_id, new.seq, new.customer_seq, new.author_id, new.by_staff, new.client_id, new.created_at)
    or (new.redacted, new.moved) is not distinct from (old.redacted, old.moved)
    or (new.text is distinct from old.text and new.text <> '')
    or not old.attachments @> new.attachments
    or ((new.kind, new.event) is distinct from (old.kind, old.event) and (new.moved is null or old.kind <> 'comment' or new.kind <> 'event'))
  then
    raise exception 'ticket_messages is append-only' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

drop trigger ticket_messages_stay_as_said on ticket_messages;
create trigger ticket_messages_stay_as_said before update on ticket_messages for each row
  when ((old.ticket_id, old.seq, old.customer_seq, old.author_id, old.by_staff, old.kind, old.client_id, old.text, old.event, old.attachments, old.created_at, old.redacted, old.moved)
    is distinct from (new.ticket_id, new.seq, new.customer_seq, new.author_id, new.by_staff, new.kind, new.client_id, new.text, new.event, new.attachments, new.created_at, new.redacted, new.moved))
  execute function keep_message();

-- Takes the files with these ids out of a message, or with null all of its content.
create function redact_message(of_ticket bigint, of_seq integer, mark jsonb, files text[]) returns void language sql security definer
  set search_path = public, pg_temp as $$
  update ticket_messages set redacted = mark,
    text = case when files is null then '' else text end,
    secret_id = case when files is null then null else secret_id end,
    attachments = coalesce((
      select jsonb_agg(file order by place) from jsonb_array_elements(attachments) with ordinality as each (file, place)
      where files is not null and file ->> 'id' <> all (files)), '[]')
  where ticket_id = of_ticket and seq = of_seq
$$;

-- Moves comments and notes from a number on to another ticket, in their order, and leaves a line in each place. Marks of readers, and the
-- mails by which messages came, go with them. Returns how many went.
create function split_off(of_ticket bigint, from_seq integer, to_ticket bigint, went jsonb) returns integer language sql security definer
  set search_path = public, pg_temp as $$
  with gone as (
    select m.*, t.staff_seq + row_number() over (order by m.seq) as to_seq,
      t.customer_seq + count(*) filter (where m.kind <> 'note') over (order by m.seq) as to_customer_seq
    from ticket_messages m join tickets t on t.id = to_ticket
    where m.ticket_id = of_ticket and m.seq >= from_seq and m.kind in ('comment', 'note') and m.moved is null),
  copied as (
    insert into ticket_messages (ticket_id, seq, customer_seq, user_id, author_id, by_staff, kind, client_id, text, attachments, created_at,
      redacted, secret_id, by_mail)
    select to_ticket, to_seq, case when kind = 'note' then null else to_customer_seq end, user_id, author_id, by_staff, kind, client_id,
      text, attachments, created_at, redacted, secret_id, by_mail
    from gone),
  counted as (
    update tickets set staff_seq = staff_seq + (select count(*) from gone),
      customer_seq = customer_seq + (select count(*) from gone where kind <> 'note')
    where id = to_ticket),
  read as (
    insert into ticket_readers (ticket_id, user_id, seq, read_at, is_helper)
    select to_ticket, r.user_id, coalesce((select max(case when r.is_helper or r.user_id = g.user_id then g.to_customer_seq else g.to_seq end)
        from gone g where case when r.is_helper or r.user_id = g.user_id then g.customer_seq <= r.seq else g.seq <= r.seq end), 0),
      r.read_at, r.is_helper
    from ticket_readers r where r.ticket_id = of_ticket
    on conflict (ticket_id, user_id) do update set seq = greatest(ticket_readers.seq, excluded.seq)),
  files as (
    update attachments set ticket_id = to_ticket
    where public_id in (select file ->> 'id' from gone, jsonb_array_elements(gone.attachments) file)),
  whole_mails as (
    update received_mails r set ticket_id = to_ticket, message_seq = g.to_seq
    from gone g where r.ticket_id = of_ticket and r.message_seq = g.seq),
  left_behind as (
    update ticket_messages m set text = '', attachments = '[]', secret_id = null, redacted = null, moved = went,
      kind = case when m.kind = 'comment' then 'event' else m.kind end,
      event = case when m.kind = 'comment' then jsonb_build_object('code', 'moved', 'params', went) end
    where m.ticket_id = of_ticket and m.seq in (select seq from gone))
  select count(*)::integer from gone
$$;

-- Replaces what lists of account events hold of a thing, also where it waits for its number. Returns the numbers of the events.
create function redact_account_events(account uuid, of_type text, holding jsonb, instead jsonb)
  returns table (list_id uuid, event_seq bigint) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('app.redacts', account::text, true);
  update public.operator_events_waiting set data = data || instead
  where customer_id = account and type = of_type and data @> holding;
  return query
    update public.account_events e set data = e.data || instead
    where (e.user_id = account or e.customer_id = account) and e.type = of_type and e.data @> holding
    returning e.user_id, e.seq;
  perform set_config('app.redacts', '', true);
end $$;

create or replace function keep_account_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('app.erased', true) in (old.user_id::text, old.customer_id::text) then
    return old;
  end if;
  if tg_op = 'UPDATE' and current_setting('app.redacts', true) in (old.user_id::text, old.customer_id::text)
    and (old.user_id, old.seq, old.type, old.occurred_at) is not distinct from (new.user_id, new.seq, new.type, new.occurred_at) then
    return new;
  end if;
  raise exception 'account_events is append-only' using errcode = 'insufficient_privilege';
end $$;
