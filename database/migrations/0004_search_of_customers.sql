-- outside a transaction
-- Staff find a customer by the end of an IBAN that has paid, by a VAT ID, and by a street.
create index concurrently bank_lines_by_iban_end on bank_lines (reverse(iban) text_pattern_ops) where state = 'booked' and iban <> '';
create index concurrently profiles_by_vat_id on profiles (vat_id) where vat_id <> '';
create index concurrently profiles_by_search_part_of_street on profiles using gin (search_parts_of(address)) where address <> '';
