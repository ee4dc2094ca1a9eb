-- A document that shows a host as it is after a revocation counts, and one that shows it as it was before does not, on whatever clock
-- (docs/decisions/102). Clocks alone cannot tell them apart: both can be of the same second. So a document is dated by the statement
-- that reads the host, and never earlier than what the revocations which this statement sees leave.

-- The earliest `iat`, in seconds since 1970, that no revocation of the host voids; 0 without any.
create function documents_from(of_host text) returns bigint language sql stable as $$
  select coalesce(max(before), 0) from revocations where sub = of_host
$$;

-- The second after a time and one more: a reader may still see the host as it was while the commit is on its way. After an earlier
-- revocation, documents bear its second, which may be still to come: the next one voids them too.
create function void_before(at timestamptz, latest bigint) returns bigint language sql immutable as $$
  select greatest(ceil(extract(epoch from at))::bigint + 1, latest + 1)
$$;

create or replace function revoke_documents(of_host text, why text) returns void language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  -- A statement of its own: it waits for other revocations, and the next one sees them.
  number bigint := next_revocation();
begin
  insert into revocations (seq, sub, before, reason, until)
  values (number, of_host, void_before(clock_timestamp(), documents_from(of_host)), why, clock_timestamp() + interval '11 days');
end $$;
