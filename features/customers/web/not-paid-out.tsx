import { giftInText } from '#features/finance/texts.ts'
import { amountOf, type Money } from '#foundation/money.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { m } from '#texts/messages.js'

/** Says how much of a balance is a gift, and how much is held back from payouts, and until when. */
export function NotPaidOut({ gift, held }: { gift: Money; held: Money }) {
  const kept = amountOf(held) > 0n ? m.customers_held({ amount: formatMoney(held) }) : undefined
  return [giftInText(gift), kept].map((text) =>
    text === undefined ? null : (
      <p key={text} className="mt-1 text-muted">
        {text}
      </p>
    ),
  )
}
