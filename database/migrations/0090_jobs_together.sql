-- Jobs of a kind that go together are taken together: one transaction renews many licences. Processes of the release before
-- go on with the take_jobs of four arguments, which stays for one release.

-- Removes the jobs that the process has done, and takes for it the next due job of each class, in the order of the classes; of
-- a kind that goes together, up to `most` of them. One that failed before is taken alone, so that it holds up no others.
-- Runs with the caller's rights.
create function take_jobs(process uuid, done bigint[], names text[], classes text[], together text[], most integer)
returns setof jobs language plpgsql as $$
declare
  -- A constant: compared with the clock itself, each waiting job would be looked at.
  due constant timestamptz := clock_timestamp();
  wanted text;
  next_one jobs;
begin
  delete from jobs where id = any(done) and taken_by = process;
  foreach wanted in array classes loop
    update jobs set taken_by = process, taken_at = due, attempts = attempts + 1
      where id = (select id from jobs where taken_by is null and class = wanted and run_at <= due
        and attempts < max_attempts and name = any(names) order by run_at, id limit 1 for update skip locked)
      returning * into next_one;
    continue when not found;
    return next next_one;
    continue when next_one.attempts > 1 or next_one.name <> all(together);
    return query update jobs set taken_by = process, taken_at = due, attempts = attempts + 1
      where id = any(array(select id from jobs where taken_by is null and class = wanted and run_at <= due
        and attempts < max_attempts and attempts = 0 and name = next_one.name order by run_at, id limit most - 1
        for update skip locked))
      returning *;
  end loop;
end $$;

-- Claims an address for a period; false, with nothing written, where another licence has it then. One statement, so that one of
-- many licences that are renewed together can be refused.
create function claim_address(user_id uuid, host_id bigint, ipv4 inet, starts_at timestamptz, ends_at timestamptz)
returns boolean language plpgsql as $$
begin
  insert into licensed_addresses (user_id, host_id, ipv4, starts_at, ends_at)
  values (claim_address.user_id, claim_address.host_id, claim_address.ipv4, claim_address.starts_at, claim_address.ends_at);
  return true;
exception when exclusion_violation then
  return false;
end $$;
