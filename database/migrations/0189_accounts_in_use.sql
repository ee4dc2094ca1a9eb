-- Begins a transaction of an actor for an account, which is not deleted before the commit. A call that waited for the deletion of its account
-- ends here: the code is read by foundation/server/database/transaction.ts.
create function begin_for(actor text, account uuid) returns void language plpgsql as $$
begin
  perform set_config('app.actor', actor, true);
  perform from users where id = account and is_active for key share;
  if not found then
    raise exception 'the account % is not active', account using errcode = 'HD401';
  end if;
end $$;
