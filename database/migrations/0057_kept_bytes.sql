-- How much each account keeps here, counted by a trigger, whatever writes the rows. What staff attach to a customer's ticket is
-- nobody's: it must not fill the customer's share, and staff answer for years. Owned by features/chat.
create table kept_bytes (
  user_id uuid primary key references users on delete cascade,
  bytes bigint not null check (bytes >= 0)
);
select allow_app('kept_bytes', 'select, insert, update, delete');
select protect_rows('kept_bytes', 'user_id');

select set_config('app.actor', 'system', true);
insert into kept_bytes (user_id, bytes)
  select user_id, sum(size) from attachments where user_id = uploader_id group by user_id;

create function count_kept_bytes() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.user_id = old.uploader_id then
    update kept_bytes set bytes = bytes - old.size where user_id = old.user_id;
  end if;
  if tg_op <> 'DELETE' and new.user_id = new.uploader_id then
    insert into kept_bytes (user_id, bytes) values (new.user_id, new.size)
      on conflict (user_id) do update set bytes = kept_bytes.bytes + new.size;
  end if;
  return null;
end $$;
create trigger attachments_count_bytes after insert or delete or update of user_id on attachments
  for each row execute function count_kept_bytes();
