-- The country of the card or bank account that paid is evidence of a buyer's place (docs/decisions/147). Owned by features/finance.
alter table payment_events add column paid_from text check (paid_from ~ '^[A-Z]{2}$');

-- What bank statements of before say of it.
update payment_events p set paid_from = left(l.iban, 2)
from bank_lines l
where p.provider = 'bank' and p.kind = 'paid' and l.iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'
  and p.event_id like 'line:%' and split_part(p.event_id, ':', 2) = l.id::text;
