import { paths } from '#features/paths.ts'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleX from 'lucide-react/icons/circle-x'
import Clock from 'lucide-react/icons/clock'
import { useEffect } from 'react'
import type { TopUp } from '#features/finance/contract.ts'
import { financesToppedUp } from '#features/finance/slots.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { Slot } from '#foundation/web/slots.tsx'
import { Button, buttonClass } from '#foundation/web/ui/button.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Spinner } from '#foundation/web/ui/spinner.tsx'
import { m } from '#texts/messages.js'
import { BankDetails } from './bank-details.tsx'
import { refreshFinances, useTopUp } from './hooks.ts'
import { StateMessage } from './state-message.tsx'

/** The state of the top-up that the customer has just begun or paid. It is polled until it is decided, and screen readers read changes. */
export function TopUpState({ id, onRetry }: { id: string; onRetry: () => void }) {
  const query = useTopUp(id)
  const go = useGo()
  const close = () => void go(paths.finances(), { replace: true, resetScroll: false })
  const status = query.data?.status
  useEffect(() => {
    // The live stream may be down, so the balance is loaded again as soon as the result is known here.
    if (status !== undefined && status !== 'pending') refreshFinances()
  }, [status])
  return (
    <div>
      <div role="status">
        {query.data ? <TopUpMessage topUp={query.data} onClose={close} onRetry={onRetry} /> : null}
      </div>
      <Loaded query={query} failed={m.finance_top_up_unknown()} waiting={null} />
    </div>
  )
}

function TopUpMessage({
  topUp,
  onClose,
  onRetry,
}: {
  topUp: TopUp
  onClose: () => void
  onRetry: () => void
}) {
  const { status, bank, redirect_url } = topUp
  const amount = formatMoney(topUp.amount)
  return (
    <StateMessage {...wordsFor(topUp, amount)} onClose={onClose}>
      {status === 'pending' && bank ? <BankDetails bank={bank} amount={topUp.amount} /> : null}
      {status === 'pending' && redirect_url !== null ? (
        <a href={redirect_url} className={`${buttonClass('secondary', 'small')} mt-3`}>
          {m.finance_top_up_continue()}
        </a>
      ) : null}
      {status === 'paid' ? <Slot of={financesToppedUp} props={{}} /> : null}
      {['failed', 'expired', 'cancelled'].includes(status) && !onlyReads() ? (
        <div className="mt-3">
          <Button size="small" onClick={onRetry}>
            {m.finance_top_up_again()}
          </Button>
        </div>
      ) : null}
    </StateMessage>
  )
}

function wordsFor({ status, provider }: TopUp, amount: string) {
  switch (status) {
    case 'pending':
      return provider === 'bank'
        ? {
            tone: 'neutral' as const,
            icon: <Clock size={18} aria-hidden="true" />,
            title: m.finance_top_up_bank({ amount }),
            text: m.finance_top_up_bank_text(),
          }
        : {
            tone: 'neutral' as const,
            icon: <Spinner />,
            title: m.finance_top_up_pending({ amount }),
            text: m.finance_top_up_pending_text(),
          }
    case 'paid':
      return {
        tone: 'success' as const,
        icon: <CircleCheck size={18} aria-hidden="true" />,
        title: m.finance_top_up_paid({ amount }),
        text: m.finance_top_up_paid_text(),
      }
    case 'failed':
      return {
        tone: 'danger' as const,
        icon: <CircleX size={18} aria-hidden="true" />,
        title: m.finance_top_up_failed({ amount }),
        text: m.finance_top_up_failed_text(),
      }
    case 'expired':
      return {
        tone: 'neutral' as const,
        icon: <Clock size={18} aria-hidden="true" />,
        title: m.finance_top_up_expired({ amount }),
        text: m.finance_top_up_expired_text(),
      }
    case 'cancelled':
      return {
        tone: 'neutral' as const,
        icon: <CircleX size={18} aria-hidden="true" />,
        title: m.finance_top_up_cancelled({ amount }),
        text: m.finance_top_up_cancelled_text(),
      }
    case 'charged_back':
      return {
        tone: 'danger' as const,
        icon: <CircleX size={18} aria-hidden="true" />,
        title: m.finance_top_up_charged_back({ amount }),
        text: m.finance_top_up_charged_back_text(),
      }
    case 'corrected':
      return {
        tone: 'neutral' as const,
        icon: <CircleX size={18} aria-hidden="true" />,
        title: m.finance_top_up_corrected({ amount }),
        text: m.finance_top_up_corrected_text(),
      }
    default:
      return status satisfies never
  }
}
