-- True for two accounts with a payment from, or back to, one bank account: a fact that suggests that both are one person.
create function share_iban(one uuid, other uuid) returns boolean language sql stable as $$
  select exists (
    select from bank_lines a join bank_lines b on b.iban = a.iban
    where a.user_id = one and b.user_id = other and a.state = 'booked' and b.state = 'booked' and a.iban <> '')
$$;
