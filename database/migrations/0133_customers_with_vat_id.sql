-- outside a transaction
-- The few customers with a VAT id, in the order in which they are asked about and listed. Owned by features/profile.
create index concurrently profiles_with_vat_id on profiles (user_id) include (country, vat_id) where vat_id <> '';
