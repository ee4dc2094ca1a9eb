import Plus from 'lucide-react/icons/plus'
import Ticket from 'lucide-react/icons/ticket'
import { amountOf } from '#foundation/money.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { formatDate, formatDateTime } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { financesActs } from '#features/finance/slots.ts'
import { m } from '#texts/messages.js'
import { giftInText } from '#features/finance/texts.ts'
import type { Finances } from './hooks.ts'
import { Upcoming } from './upcoming.tsx'

type Props = { finances: Finances; onTopUp: () => void; onVoucher: () => void }

/** The balance, how long it lasts, and the next charges. */
export function BalanceCard({ finances, onTopUp, onVoucher }: Props) {
  const { balance, gift } = finances
  const isNegative = amountOf(balance) < 0n
  const inText = giftInText(gift)
  return (
    <>
      {isNegative ? (
        <Alert tone="danger">
          <p className="font-medium">{m.finance_negative_title()}</p>
          <p className="mt-0.5">{m.finance_negative_text({ missing: formatMoney(positive(balance)) })}</p>
        </Alert>
      ) : null}
      <section aria-labelledby="balance" className="rounded-lg border border-line bg-surface">
        <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5 p-5 sm:p-6">
          <div className="min-w-0">
            <h2 id="balance" className="text-sm font-medium text-muted">
              {m.finance_balance()}
            </h2>
            <p
              className={classNames(
                'mt-1 text-3xl font-semibold tracking-tight [overflow-wrap:anywhere] sm:text-4xl',
                isNegative && 'text-danger-text',
              )}
            >
              {formatMoney(balance)}
            </p>
            {inText === undefined ? null : <p className={lastingClass}>{inText}</p>}
            <Lasting finances={finances} />
          </div>
          {onlyReads() ? null : (
            <div className="grid w-full grid-cols-1 gap-2 min-[26rem]:grid-cols-2 sm:flex sm:w-auto">
              <Button look="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={onTopUp}>
                {m.finance_top_up()}
              </Button>
              <Button icon={<Ticket size={16} aria-hidden="true" />} onClick={onVoucher}>
                {m.finance_voucher_redeem()}
              </Button>
              <Slot of={financesActs} props={{ balance, gift }} waiting={null} />
            </div>
          )}
        </div>
        <Upcoming finances={finances} />
      </section>
    </>
  )
}

function Lasting({ finances: { balance, lasts_until, upcoming } }: { finances: Finances }) {
  const [next] = upcoming
  if (amountOf(balance) < 0n) return null
  if (!next) return <p className={lastingClass}>{m.finance_lasts_nothing_due()}</p>
  if (lasts_until === null) return <p className={lastingClass}>{m.finance_lasts_long()}</p>
  const date = formatDate(lasts_until)
  if (amountOf(balance) < amountOf(next.total))
    return (
      <p className="mt-2 text-sm font-medium text-warning-text">
        {m.finance_lasts_not_next({ date: formatDate(next.due_at) })}
      </p>
    )
  return (
    <p className={lastingClass}>
      <time dateTime={lasts_until} title={formatDateTime(lasts_until)}>
        {m.finance_lasts_until({ date })}
      </time>
    </p>
  )
}

const lastingClass = 'mt-2 text-sm text-muted'

const positive = ({ amount, currency }: Finances['balance']) => ({
  amount: amount.replace('-', ''),
  currency,
})
