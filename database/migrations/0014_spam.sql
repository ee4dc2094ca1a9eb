-- Staff closed the ticket as spam at this time. A ticket that is open again is no spam.
alter table tickets add column spam_at timestamptz;
