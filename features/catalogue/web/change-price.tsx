import { useDeferredValue, useState } from 'react'
import { changePlan, type CataloguePlan } from '#features/catalogue/contract.ts'
import { digitsOf, toMoney } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { ActDialog, type Send } from '#foundation/web/form/act-dialog.tsx'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { dayOf, timesOf } from '#foundation/web/i18n/days.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { formatMoney, parseAmount, typedAmount } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { DayField } from '#foundation/web/ui/day-field.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { planText } from './plan-text.ts'
import { refreshPlans, useRenewals } from './hooks.ts'

const WHEN = ['month', 'now', 'day'] as const
type When = (typeof WHEN)[number]

/** The dialog that changes the price of a plan at once or from a day on. It shows what the servers that renew the plan would pay. */
export function ChangePrice({ plan, ...dialog }: DialogProps & { plan: CataloguePlan }) {
  const { slug, price_net, next_prices, version } = plan
  const { currency } = price_net
  const digits = digitsOf(currency)
  const name = planText(plan)
  const [typed, setTyped] = useState(typedAmount(next_prices[0]?.price_net ?? price_net))
  const [when, setWhen] = useState<When>('month')
  const [day, setDay] = useState('')
  const month = firstOfNextMonth()
  const from = timesOf({ from: when === 'now' ? '' : when === 'day' ? day : month, to: '' }).from
  const submit = async (fields: FormFields, send: Send) => {
    const price = parseAmount(fields.text('price_net'), digits)
    if (price === undefined || price <= 0n)
      return { errors: [{ code: 'invalid', param: 'price_net' }] } as const
    if (when === 'day' && from === undefined) return { errors: [{ code: 'required', param: 'day' }] } as const
    const body = { price_net: toMoney(price, currency), version, ...(from === undefined ? {} : { from }) }
    const answer = await send(body, () => call(changePlan, { params: { slug }, body }))
    if (!answer) return undefined
    refreshPlans()
    if (answer.status !== 200) return answer
    toastSuccess(() => doneText(name, answer.body))
    return dialog.onClose()
  }
  return (
    <ActDialog
      {...dialog}
      about={slug}
      title={m.catalogue_price_of({ plan: name })}
      description={m.catalogue_price_text()}
      act={m.catalogue_save()}
      submit={submit}
    >
      <TextField
        name="price_net"
        label={m.catalogue_price_net({ currency })}
        defaultValue={typed}
        inputMode={digits === 0 ? 'numeric' : 'decimal'}
        autoComplete="off"
        required
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <SelectField
        name="when"
        label={m.catalogue_counts()}
        value={when}
        onChange={({ target }) => setWhen(WHEN.find((one) => one === target.value) ?? 'month')}
        options={[
          { value: 'month', label: m.catalogue_counts_month({ date: formatDate(`${month}T00:00`) }) },
          { value: 'now', label: m.catalogue_counts_now() },
          { value: 'day', label: m.catalogue_counts_day() },
        ]}
      />
      {when === 'day' ? <DayField name="day" label={m.catalogue_day()} value={day} onDay={setDay} /> : null}
      <WhoPays slug={slug} price={parseAmount(typed, digits)} from={from} />
    </ActDialog>
  )
}

function firstOfNextMonth(today = new Date()): string {
  return dayOf(new Date(today.getFullYear(), today.getMonth() + 1, 1))
}

function doneText(plan: string, { price_net, next_prices }: CataloguePlan): string {
  const planned = next_prices.find(({ from }) => Date.parse(from) > Date.now())
  return planned
    ? m.catalogue_price_planned({
        plan,
        price: formatMoney(planned.price_net),
        date: formatDate(planned.from),
      })
    : m.catalogue_price_done({ plan, price: formatMoney(price_net) })
}

function WhoPays({
  slug,
  price,
  from,
}: {
  slug: string
  price: bigint | undefined
  from: string | undefined
}) {
  // The deferred price keeps the field fluent: typing is more urgent than rendering the prices of renewals.
  const asked = useDeferredValue(price !== undefined && price > 0n ? price : undefined)
  const { items: renewals, renewals_from } = useRenewals(slug, asked, from).data ?? {}
  if (!renewals || renewals_from === undefined) return null
  if (renewals.length === 0) return <p className="text-sm text-muted">{m.catalogue_nobody_pays()}</p>
  return (
    <div role="status" className="rounded-md border border-line bg-sunken px-3 py-2 text-sm">
      <p className="font-medium">{m.catalogue_who_pays()}</p>
      <ul>
        {renewals.map(({ price_net, hosts, customers }) => (
          <li key={price_net.amount}>
            {m.catalogue_pays({
              price: m.catalogue_net({ price: formatMoney(price_net) }),
              count: hosts,
              customers: m.catalogue_pays_customers({ count: customers }),
            })}
          </li>
        ))}
      </ul>
      {renewals_from !== null ? (
        <p className="mt-1">{m.catalogue_rise({ date: formatDate(renewals_from) })}</p>
      ) : null}
      {renewals.length > 1 ? <p className="mt-1 text-muted">{m.catalogue_pays_why()}</p> : null}
    </div>
  )
}
