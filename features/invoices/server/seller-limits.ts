import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { staffMembers } from '#foundation/server/session/session.ts'
import { minorUnits } from '#foundation/money.ts'
import { dayIn, type LimitName } from '#features/invoices/rules.ts'
import { limitReached } from './mails.ts'
import { databaseTime } from './queries.ts'
import { isSmallBusinessOn, smallBusinessLimits } from './small-business.ts'
import { leftIn, thresholdIn } from './threshold.ts'
import { noteLimit, salesElsewhere, turnoverAtHome } from './threshold-queries.ts'

/** A limit on the turnover of this year on which the VAT of the seller depends, in minor units. */
type SellerLimit = {
  name: LimitName
  sum: bigint
  limit: bigint
  /** `near` from 80 % on, `passed` when the law has changed. */
  state: 'below' | 'near' | 'passed'
}

/** Returns the limits that matter to this seller now, with what its documents of this year come to; none for most sellers. */
export async function sellerLimits(app: App, db: App['db']): Promise<SellerLimit[]> {
  const { company, currency, timeZone: time_zone } = app.config
  const today = dayIn(await databaseTime(db), time_zone)
  const year = Number(today.slice(0, 4))
  const isSmall = isSmallBusinessOn(company.smallBusiness, today)
  const limits: SellerLimit[] = []
  const threshold = thresholdIn(currency)
  if ((company.usesThreshold || isSmall) && threshold !== undefined) {
    const sales = await salesElsewhere(db, { year, until: undefined, currency, time_zone })
    const passed = leftIn(threshold, sales) < 0n
    limits.push(stateOf('eu_consumers', sales.present, threshold, passed))
  }
  const most = isSmall && currency === 'EUR' ? smallBusinessLimits(company.country) : undefined
  if (most) {
    const sum = await turnoverAtHome(db, { year, currency, time_zone })
    limits.push(stateOf('small_business', sum, minorUnits(most.present, currency)))
    limits.push(stateOf('small_business_next_year', sum, minorUnits(most.next, currency)))
  }
  return limits
}

function stateOf(name: LimitName, sum: bigint, limit: bigint, passed = sum > limit): SellerLimit {
  return { name, sum, limit, state: passed ? 'passed' : 5n * sum >= 4n * limit ? 'near' : 'below' }
}

/** Mails owners and admins, once a year for each limit and state, that a limit is near or passed. */
export async function tellOfLimits(app: App): Promise<void> {
  const reached = (await sellerLimits(app, app.db)).filter(({ state }) => state !== 'below')
  const year = Number(dayIn(await databaseTime(app.db), app.config.timeZone).slice(0, 4))
  for (const { name, state, sum, limit } of reached)
    await transaction(app, 'system', async (tx) => {
      if (!(await noteLimit(tx, { name, year, state }))) return
      const values = { name, passed: state === 'passed', sum, limit, currency: app.config.currency }
      for (const { id, staff_roles } of await staffMembers(tx))
        if (staff_roles.includes('owner') || staff_roles.includes('admin'))
          await mailTo(app, tx, id, limitReached, values)
    })
}
