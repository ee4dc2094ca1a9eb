import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { refundTransaction } from '#features/sales/contract.ts'
import { type Transaction } from '#features/finance/contract.ts'
import { descriptionText } from '#features/finance/texts.ts'
import { listPaidServers, type PaidServer } from '#features/sales/contract.ts'
import { refundOfMonths } from '#features/sales/rules.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { amountOf, toMoney, type Money } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney, typedAmount } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { MoneyDialog } from './money-dialog.tsx'

type Props = DialogProps & {
  card: Pick<CustomerCard, 'id' | 'name' | 'email'>
  transaction: Transaction
  /** The proposed amount, and the order that it is for. Without a proposal it is all that was paid. */
  proposed?: Money
  order_id?: string
}

/** Refunds a spending, whole, in part or for one of several servers, with its credit note. The customer reads the reason. */
export function Refund({ card, transaction, proposed, order_id, ...dialog }: Props) {
  const { id, amount, description } = transaction
  const locale = useLocale()
  const params = { userId: card.id, id }
  const paid = useQuery({ ...queryFor(listPaidServers, { params }), staleTime: 0 })
  const servers = paid.data && paid.data.items.length > 1 ? paid.data.items : []
  const [chosen, setChosen] = useState(order_id ?? '')
  const spent = toMoney(-amountOf(amount), amount.currency)
  const one = servers.length > 0 ? servers.find((server) => server.order_id === chosen) : paid.data?.items[0]
  const [months, setMonths] = useState('')
  const passedOn = (paid.data?.items ?? []).filter(
    ({ order_id: one, next_owner }) => next_owner !== null && (chosen === '' || one === chosen),
  )
  const [isEnded, setEnded] = useState(false)
  const end = passedOn.length > 0 && isEnded ? { end_for_next_owner: true } : {}
  const isProposed = chosen === (order_id ?? '')
  const choices = one ? choicesOf(one) : []
  const ofMonths = choices.find(({ count }) => String(count) === months)?.amount
  const part = servers.length > 1 && chosen !== '' ? { order_id: chosen } : {}
  return (
    <MoneyDialog
      {...dialog}
      about={id}
      title={m.customers_refund_title({ name: card.name || card.email })}
      description={m.customers_refund_text({
        what: descriptionText(description),
        amount: formatMoney(spent),
      })}
      act={m.customers_refund()}
      permission="finance.refund"
      currency={amount.currency}
      amount={typedAmount(ofMonths ?? (isProposed ? proposed : undefined) ?? one?.left ?? spent)}
      send={({ amount: typed, ...body }, headers) => {
        // An amount that was typed over the price of the months is any sum.
        const sum = typed.amount === ofMonths?.amount ? { months: Number(months) } : { amount: typed }
        return call(refundTransaction, { params, headers, body: { ...body, ...sum, ...part, ...end } })
      }}
      done={(refunded) => m.customers_refunded({ amount: refunded })}
    >
      {servers.length > 1 ? (
        <SelectField
          name="order_id"
          label={m.customers_refund_server()}
          value={chosen}
          onChange={(event) => {
            setChosen(event.target.value)
            setMonths('')
          }}
          options={[
            { value: '', label: m.customers_refund_all({ amount: formatMoney(spent) }) },
            ...servers.map((server) => ({
              value: server.order_id,
              label: m.customers_refund_one({
                name: server.host.name,
                plan: server.plan[locale],
                amount: formatMoney(server.left),
              }),
            })),
          ]}
        />
      ) : null}
      {one && choices.length > 0 ? (
        <SelectField
          name="months"
          label={m.customers_refund_months()}
          value={months}
          onChange={(event) => setMonths(event.target.value)}
          options={[
            { value: '', label: m.customers_refund_months_none() },
            ...choices.map(({ count, amount: price }) => ({
              value: String(count),
              label: m.customers_refund_months_of({ count, of: one.months ?? 0, amount: formatMoney(price) }),
            })),
          ]}
        />
      ) : null}
      {passedOn.map(({ host, next_owner }) => (
        <Alert key={host.id} tone="warning" live>
          {m.customers_refund_passed_on({
            server: host.name,
            name: next_owner?.name ?? '',
            date: formatDate(next_owner?.until ?? ''),
          })}
        </Alert>
      ))}
      {passedOn.length > 0 ? (
        <CheckboxField
          name="end_for_next_owner"
          label={m.customers_refund_end()}
          hint={m.customers_refund_end_hint()}
          checked={isEnded}
          onChange={(event) => setEnded(event.currentTarget.checked)}
        />
      ) : null}
    </MoneyDialog>
  )
}

/** The whole months that can be refunded of what was paid for a server, each with its price: none for a single month or for an upgrade. */
function choicesOf({ months, total_of_time, left_of_time }: PaidServer): { count: number; amount: Money }[] {
  if (months === null || months < 2) return []
  const paid = { months, total_of_time: amountOf(total_of_time), left_of_time: amountOf(left_of_time) }
  return Array.from({ length: months }, (_, place) => place + 1).flatMap((count) => {
    const amount = refundOfMonths(paid, count)
    return amount === undefined ? [] : [{ count, amount: toMoney(amount, total_of_time.currency) }]
  })
}
