-- The address of somebody whose account was deleted while a refund to the source was under way, for the mails about it. It is erased 30 days
-- after the refund has ended. Sealed: JSON of the address and the language.
alter table payouts add column address_sealed text;
select allow_app('payouts', 'update (address_sealed)');
