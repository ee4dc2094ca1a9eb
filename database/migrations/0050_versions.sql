-- Things that people edit in forms count their edits, so that a form can say which state it changes (rule 45). A trigger
-- counts: no statement can forget it, and none can set the number.

create function count_edit() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;

alter table profiles add column version integer not null default 1;
create trigger count_edit before update on profiles
  for each row when (old.* is distinct from new.*) execute function count_edit();

-- What an order or an agent writes is no edit.
alter table hosts add column version integer not null default 1;
create trigger count_edit before update of name, ipv4 on hosts
  for each row when ((old.name, old.ipv4) is distinct from (new.name, new.ipv4)) execute function count_edit();

alter table canned_replies add column version integer not null default 1;
create trigger count_edit before update on canned_replies
  for each row when (old.* is distinct from new.*) execute function count_edit();
