-- outside a transaction
-- Staff read what was mailed to a customer, newest first.
create index concurrently mails_by_user on mails (user_id, created_at desc, id desc) where user_id is not null;
