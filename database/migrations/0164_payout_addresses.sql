-- The address of somebody whose account was deleted with money left, for the mails about its payout; it is erased with the bank account.
-- Sealed: JSON of the address and the language.
alter table payout_accounts add column address_sealed text;
select allow_app('payout_accounts', 'update (address_sealed)');
