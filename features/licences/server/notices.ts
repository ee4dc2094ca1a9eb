import { balanceOf } from '#features/finance/server/finance.ts'
import { announceHost } from '#features/hosts/server/hosts.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { LetterKind } from '#foundation/server/mail/letter.ts'
import { owe } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { firstTry, lastTry, stepAt } from '#features/licences/rules.ts'
import * as letters from './letters.ts'
import type { Standing } from './standing.ts'
import { renewalPrices } from './upcoming.ts'

/** Owes the mail of the steps that are due, one at most, and tells open pages of an end or a refusal. */
export async function tellOf(app: App, tx: Tx, standing: Standing, refusal?: string): Promise<void> {
  const { host, watch, due } = standing
  if (refusal !== undefined || due.some(({ does }) => does === 'end')) await announceHost(tx, host)
  const letter = letterFor(standing, refusal)
  const user = await findUser({ ...app, db: tx }, host.user_id)
  if (!letter || !user?.is_active) return
  const [total = 0n] = await renewalPrices(app, tx, host.user_id, [host])
  const values: letters.Values = {
    host: host.name,
    host_id: host.public_id,
    plan: host.plan_name?.[user.locale] ?? '',
    ends_at: watch.ends_at,
    charge_at: stepAt(watch.ends_at, firstTry),
    total,
    balance: await balanceOf({ ...app, db: tx }, host.user_id),
    currency: app.config.currency,
    refusal: refusal ?? watch.refusal,
  }
  await owe(app, tx, { user_id: host.user_id, to: user.email, locale: user.locale, letter, values })
}

/** Where several steps are due, as after a day without a worker, the last one speaks; but the end is always told. */
function letterFor({ host, due }: Standing, refusal?: string): LetterKind<letters.Values> | undefined {
  const last = due.at(-1)
  if (last === lastTry && refusal !== undefined) return letters.renewalGivenUp
  if (due.some(({ does }) => does === 'end')) return letters.licenceEnded
  if (last === undefined || last.days > 0) return undefined
  if (refusal !== undefined) return letters.renewalFailed
  return host.auto_renew ? letters.licenceRenewsSoon : letters.licenceEndsSoon
}
