-- A token for single servers ends when the last of them goes to another account.
alter table account_tokens drop constraint account_tokens_ended_why_check,
  add constraint account_tokens_ended_why_check check (ended_why in ('owner', 'self', 'staff', 'leak', 'expired', 'transfer'));
