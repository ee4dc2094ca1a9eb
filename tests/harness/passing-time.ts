import { withConnectionAt } from './pools.ts'

/**
 * Lets days pass: moves all times of licences that far into the past, since the clock of the database, which decides, cannot be moved.
 * Bookings and issued documents keep their times. With `hostId` (a public id), only the times of that host move, for a database that others
 * use as well. `ownerUrl` is the address for the owner of the schema.
 */
export async function passTimeIn(ownerUrl: string, days: number, hostId?: string): Promise<void> {
  await withConnectionAt(ownerUrl, async (owner) => {
    await owner.query(`begin; select set_config('app.actor', 'system', true)`)
    for (const statement of statements)
      await owner.query(statement, [`${days * 86_400} seconds`, hostId ?? null])
    if (hostId === undefined) await owner.query(pricesPass(days))
    await owner.query('commit')
  })
}

/** Returns the statements that move the times of prices, which are for all hosts. The product itself never changes a price. */
const pricesPass = (days: number): string => `
  alter table plan_prices disable trigger plan_prices_are_append_only;
  update plan_prices set from_at = from_at - interval '${days * 86_400} seconds',
    renewals_from_at = renewals_from_at - interval '${days * 86_400} seconds';
  alter table plan_prices enable trigger plan_prices_are_append_only`

const meant = `select id from hosts where $2::text is null or public_id = $2`
const statements = [
  // The hosts are locked first, as by everything that changes a licence (rule 9): a job that runs meanwhile ends before, or waits.
  `select $1::interval from hosts where id in (${meant}) order by id for update`,
  // The day of the month moves too: a term after a moved end would otherwise last up to two months.
  `update paid_periods set starts_at = starts_at - $1::interval, term_starts_at = term_starts_at - $1::interval,
    ends_at = ends_at - $1::interval, anchor_day = extract(day from (ends_at - $1::interval) at time zone 'UTC')
    where host_id in (${meant})`,
  `update trials set starts_at = starts_at - $1::interval, ends_at = ends_at - $1::interval where host_id in (${meant})`,
  `update licensed_addresses set starts_at = starts_at - $1::interval, ends_at = ends_at - $1::interval where host_id in (${meant})`,
  `update licence_watches set ends_at = ends_at - $1::interval, next_at = next_at - $1::interval, plan_changes_at = plan_changes_at - $1::interval where host_id in (${meant})`,
  `update debts set began_at = began_at - $1::interval, last_step_at = last_step_at - $1::interval, next_at = next_at - $1::interval where $2::text is null or user_id in (select user_id from hosts where public_id = $2)`,
  `update plan_moves set counts_from = counts_from - $1::interval, created_at = created_at - $1::interval where $2::text is null`,
  `update plan_move_hosts set told_at = told_at - $1::interval where host_id in (${meant})`,
  `update auto_top_ups set look_at = look_at - $1::interval where $2::text is null`,
  `update auto_top_up_runs set charge_at = charge_at - $1::interval, asked_at = asked_at - $1::interval, act_until = act_until - $1::interval,
    created_at = created_at - $1::interval, ended_at = ended_at - $1::interval where $2::text is null`,
  `update hosts set paid_until = paid_until - $1::interval where id in (${meant})`,
  `update jobs set run_at = run_at - $1::interval where $2::text is null or key in (select unnest(array['licence:' || id, 'debt:' || user_id]) from hosts where public_id = $2)`,
]
