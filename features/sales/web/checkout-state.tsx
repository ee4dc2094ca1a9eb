import CircleCheck from 'lucide-react/icons/circle-check'
import CircleX from 'lucide-react/icons/circle-x'
import Clock from 'lucide-react/icons/clock'
import { useEffect, useState, type ComponentProps, type ReactNode } from 'react'
import { BankDetails, StateMessage } from '#features/finance/web/finance.ts'
import { getFinances, listTransactions } from '#features/finance/contract.ts'
import { listHosts } from '#features/hosts/contract.ts'
import { paths } from '#features/paths.ts'
import type { Checkout } from '#features/sales/checkouts.ts'
import { checkoutName, whyRefused } from '#features/sales/texts.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { ButtonLink, useGo } from '#foundation/web/navigation.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Spinner } from '#foundation/web/ui/spinner.tsx'
import { m } from '#texts/messages.js'
import { CancelCheckout } from './cancel-checkout.tsx'
import { useCheckout } from './checkout-hooks.ts'
import { ContinuePayment } from './continue-payment.tsx'

/** The state of an order whose payment the customer has just begun or made. It is polled until it is decided. */
export function CheckoutState({ id }: { id: string }) {
  const query = useCheckout(id)
  const state = query.data?.state
  useEffect(() => {
    // The live stream may be down, so what the order changed is loaded again as soon as the result is known here.
    if (state === undefined || state === 'open') return
    for (const route of [getFinances, listTransactions, listHosts]) refreshQueries(route)
  }, [state])
  return (
    <div>
      <div role="status">{query.data ? <CheckoutMessage checkout={query.data} /> : null}</div>
      <Loaded query={query} failed={m.sales_checkout_unknown()} waiting={null} />
    </div>
  )
}

function CheckoutMessage({ checkout }: { checkout: Checkout }) {
  const go = useGo()
  const locale = useLocale()
  const { top_up, state } = checkout
  return (
    <StateMessage
      {...wordsFor(checkout, checkoutName(checkout, { locale }))}
      onClose={() => void go(paths.finances(), { replace: true, resetScroll: false })}
    >
      {state === 'open' && top_up.bank ? <BankDetails bank={top_up.bank} amount={top_up.amount} /> : null}
      {onlyReads() ? null : <NextStep checkout={checkout} />}
    </StateMessage>
  )
}

/** The one thing to do next: to go on paying, to see the server, or to order again. */
function NextStep({ checkout }: { checkout: Checkout }) {
  const [cancelling, setCancelling] = useState(false)
  const { state, host_id, for: purpose, bulk } = checkout
  if (state === 'open')
    return (
      <div className="mt-3 flex flex-wrap gap-2">
        <ContinuePayment checkout={checkout} />
        <Button size="small" onClick={() => setCancelling(true)}>
          {m.sales_checkout_cancel()}
        </Button>
        <CancelCheckout checkout={cancelling ? checkout : undefined} onClose={() => setCancelling(false)} />
      </div>
    )
  if (purpose === 'top_up') return null
  const isDone = state === 'done'
  // The servers of an order for several are in the list of all.
  const areListed = checkout.refusal === 'not_found' || (bulk && (isDone || bulk.act !== 'order'))
  const to =
    host_id === null || areListed
      ? paths.hosts(areListed ? {} : { act: 'order' })
      : paths.host(host_id, isDone || purpose === 'upgrade' ? {} : { act: 'renew' })
  return (
    <div className="mt-3">
      <ButtonLink look={isDone ? 'primary' : 'secondary'} size="small" to={to}>
        {areListed
          ? m.sales_checkout_servers()
          : isDone
            ? m.sales_checkout_server()
            : m.sales_checkout_again()}
      </ButtonLink>
    </div>
  )
}

type Words = Pick<ComponentProps<typeof StateMessage>, 'tone' | 'icon' | 'title' | 'text'>

function wordsFor(checkout: Checkout, what: string): Words {
  const { state, refusal, top_up, expires_at } = checkout
  const amount = formatMoney(top_up.amount)
  const [waits, ended] = [
    <Clock key="icon" size={18} aria-hidden="true" />,
    <CircleX key="icon" size={18} aria-hidden="true" />,
  ]
  switch (state) {
    case 'open':
      return top_up.provider === 'bank'
        ? {
            tone: 'neutral',
            icon: waits,
            title: m.sales_checkout_bank({ amount }),
            text: m.sales_checkout_bank_text({ what, until: formatDateTime(expires_at) }),
          }
        : {
            tone: 'neutral',
            icon: <Spinner />,
            title: m.sales_checkout_waits({ amount }),
            text: m.sales_checkout_waits_text({ what }),
          }
    case 'done':
      return {
        tone: 'success',
        icon: <CircleCheck size={18} aria-hidden="true" />,
        title: m.sales_checkout_done(),
        text: m.sales_checkout_done_text({ what }),
      }
    case 'failed':
      return refusal === 'payment_failed' || refusal === null
        ? {
            tone: 'danger',
            icon: ended,
            title: m.sales_checkout_failed({ amount }),
            text: m.sales_checkout_failed_text({ what }),
          }
        : refusedWords(checkout, what, ended)
    case 'expired':
      return refusal === null
        ? {
            tone: 'neutral',
            icon: waits,
            title: m.sales_checkout_expired(),
            text: m.sales_checkout_expired_text({ what }),
          }
        : refusedWords(checkout, what, ended)
    case 'cancelled':
      return {
        tone: 'neutral',
        icon: ended,
        title: m.sales_checkout_cancelled(),
        text: m.sales_checkout_cancelled_text({ what }),
      }
    default:
      return state satisfies never
  }
}

/** The words about an order that could not be done any more when its money had come. */
const refusedWords = ({ refusal, top_up }: Checkout, what: string, icon: ReactNode): Words => ({
  tone: 'danger',
  icon,
  title: m.sales_checkout_refused({ amount: formatMoney(top_up.amount) }),
  text: m.sales_checkout_refused_text({ what, why: whyRefused(refusal ?? '') }),
})
