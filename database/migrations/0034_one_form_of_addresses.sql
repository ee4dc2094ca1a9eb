-- One mailbox, one form of its address (foundation/email-address.ts): NFKC, and the domain in Unicode. Addresses that were
-- kept in another form get it, so that their owners can go on signing in; where two accounts hold both forms, nothing changes.
select set_config('app.actor', 'system', true);

create function unicode_of_label(label text) returns text language plpgsql immutable as $$
declare
  dash int := case when position('-' in label) = 0 then 0 else length(label) - position('-' in reverse(label)) + 1 end;
  output int[] := array(select ascii(c) from regexp_split_to_table(left(label, greatest(dash - 1, 0)), '') c where c <> '');
  code int := 128; bias int := 72; at int := dash + 1; place int := 0;
  before int; weight int; k int; digit int; threshold int; delta int; result text := '';
  one int;
begin
  while at <= length(label) loop
    before := place; weight := 1; k := 36;
    loop
      digit := ascii(substr(label, at, 1));
      digit := case when digit < 58 then digit - 22 else digit - 97 end;
      at := at + 1;
      place := place + digit * weight;
      threshold := least(greatest(k - bias, 1), 26);
      exit when digit < threshold or at > length(label);
      weight := weight * (36 - threshold);
      k := k + 36;
    end loop;
    delta := case when before = 0 then (place - before) / 700 else (place - before) / 2 end;
    delta := delta + delta / (cardinality(output) + 1);
    k := 0;
    while delta > 455 loop delta := delta / 35; k := k + 36; end loop;
    bias := k + 36 * delta / (delta + 38);
    code := code + place / (cardinality(output) + 1);
    place := place % (cardinality(output) + 1);
    output := output[1:place] || code || output[place + 1:];
    place := place + 1;
  end loop;
  foreach one in array output loop result := result || chr(one); end loop;
  -- No name holds control characters or blanks: what decodes to them was no name.
  return case when result ~ '[\u0001-\u002c\u007f-\u00a0]' then 'xn--' || label else result end;
exception when others then
  return 'xn--' || label;
end $$;

create function one_form_of_address(email text) returns text language sql immutable as $$
  select lower(normalize(split_part(email, '@', 1), NFKC)) || '@' || (
    select string_agg(case when label like 'xn--%' then unicode_of_label(substr(label, 5)) else label end, '.' order by n)
    from regexp_split_to_table(lower(normalize(split_part(email, '@', 2), NFKC)), '\.') with ordinality as labels(label, n))
$$;

with twins as (
  select id, user_id, email, is_primary, one_form_of_address(email) as form from email_addresses
  where email ~ '[^ -~]|xn--'
), alone as (
  select * from twins where form <> email and form = lower(form) and length(form) <= 254
    and not exists (select from email_addresses other where other.email = twins.form)
    and not exists (select from twins other where other.form = twins.form and other.id <> twins.id)
), renamed as (
  update email_addresses set email = alone.form from alone where email_addresses.id = alone.id
  returning alone.user_id, alone.is_primary, alone.form
)
update users set email = renamed.form from renamed where users.id = renamed.user_id and renamed.is_primary;

drop function one_form_of_address;
drop function unicode_of_label;
