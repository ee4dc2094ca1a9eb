-- A mail that told of a message goes with it to the new ticket, so that staff see there if it comes back.
create or replace function split_off(of_ticket bigint, from_seq integer, to_ticket bigint, went jsonb) returns integer language sql security definer
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
  mails_sent as (
    update ticket_mails_sent s set ticket_id = to_ticket, seq = g.to_customer_seq
    from gone g where s.ticket_id = of_ticket and g.kind = 'comment' and s.seq = g.customer_seq),
  left_behind as (
    update ticket_messages m set text = '', attachments = '[]', secret_id = null, redacted = null, moved = went,
      kind = case when m.kind = 'comment' then 'event' else m.kind end,
      event = case when m.kind = 'comment' then jsonb_build_object('code', 'moved', 'params', went) end
    where m.ticket_id = of_ticket and m.seq in (select seq from gone))
  select count(*)::integer from gone
$$;
