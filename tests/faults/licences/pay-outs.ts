import { payOut } from '#tests/harness/money.ts'
import type { Act } from './acts.ts'
import { refusing, type Life, type Step } from './life.ts'

/**
 * Staff pay money of a balance back: at most what is left of the balance and of the payments, and from the oldest payment first. A history
 * has no gifts, which a payout never takes: tests/harness/ledger-history.ts has them.
 */
export function payOutOf(
  { model, lane, people }: Life,
  { side, share }: Extract<Act, { act: 'pay out' }>,
): Step | undefined {
  const account = model[side]
  const open = account.payments.reduce((sum, { left }) => sum + left, 0n)
  const payable = account.balance < open ? account.balance : open
  if (payable <= 0n) return undefined
  const amount = (payable * BigInt(share) + 99n) / 100n
  return {
    name: `pay out of the ${side}`,
    ask: () => refusing(() => payOut(lane.world.test.app, people[side].user_id, amount)),
    apply() {
      if (amount > payable) return 'nothing_to_pay_out'
      let rest = amount
      for (const payment of account.payments) {
        const part = payment.left < rest ? payment.left : rest
        payment.left -= part
        rest -= part
      }
      account.balance -= amount
      return undefined
    },
  }
}
