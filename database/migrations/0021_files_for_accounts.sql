-- A file that a helper or a token uploads for an account counts towards the account's quota from the first byte, and only its uploader
-- may send it.
alter table attachments
  drop constraint attachments_check,
  add constraint files_of_no_ticket_are_no_notes check (ticket_id is not null or not note);

-- As before, and files that no message uses yet, whoever uploaded them.
create or replace function count_kept_bytes() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and (old.user_id = old.uploader_id or old.ticket_id is null) then
    update kept_bytes set bytes = bytes - old.size where user_id = old.user_id;
  end if;
  if tg_op <> 'DELETE' and (new.user_id = new.uploader_id or new.ticket_id is null) then
    insert into kept_bytes (user_id, bytes) values (new.user_id, new.size)
      on conflict (user_id) do update set bytes = kept_bytes.bytes + new.size;
  end if;
  return null;
end $$;
