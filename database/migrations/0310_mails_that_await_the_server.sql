-- Mails that the mail server did not take because it was away itself, since their last try. When it is back they go at once.
alter table mails add column awaits_server_since timestamptz(3);
