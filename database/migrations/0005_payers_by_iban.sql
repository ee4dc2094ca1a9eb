-- The customers whose booked payments came from, or went back to, an account whose IBAN ends so. The end is a range and not a pattern: a
-- generic plan cannot use the index bank_lines_by_iban_end for a pattern.
create function payers_by_iban(ending text, most bigint) returns table(user_id uuid, iban text) language sql stable as $$
  select distinct l.user_id, l.iban from bank_lines l
  where l.state = 'booked' and l.iban <> '' and l.user_id is not null
    and reverse(l.iban) ~>=~ reverse(ending) and reverse(l.iban) ~<~ (reverse(ending) || U&'\+10FFFF')
  limit most
$$;
