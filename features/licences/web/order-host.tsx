import { useState } from 'react'
import { orderPath, type Host } from '#features/hosts/contract.ts'
import { isIpv4, NAME_LENGTH } from '#features/hosts/rules.ts'
import { orderHost } from '#features/licences/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormFields } from '#foundation/web/form/form-fields.ts'
import { Form } from '#foundation/web/form/form.tsx'
import { useIntention } from '#foundation/web/form/intention.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { takeOrdered, useBalance, usePlans } from './calls.ts'
import { typedAddress, useBuyerAddress } from './buyer-address.tsx'
import { OrderActions } from './order-actions.tsx'
import { interruptOrder, resumeOrder } from './interrupted-order.ts'
import { PlanChoice } from './plan-choice.tsx'
import { PriceSummary } from './price-summary.tsx'
import { refusedOrder } from './refused-order.ts'
import { useShownPrices } from './shown-prices.ts'

type Props = DialogProps & { onOrdered?: (host: Host) => void }

/** A new server with a paid licence: what it costs and what is left stands there before the button (rows H-02, V-04). */
export function OrderHost({ open, onClose, onOrdered }: Props) {
  const plans = usePlans()
  const balance = useBalance()
  const [resumed] = useState(() => resumeOrder(orderPath))
  const [slug, setSlug] = useState(resumed?.plan)
  const plan = plans.data?.items.find((each) => each.slug === slug) ?? plans.data?.items[0]
  const priceBefore = useShownPrices(plans.data?.items)
  const send = useIntention()
  const address = useBuyerAddress(plan, resumed?.buyer)
  const form = useForm(async (fields) => {
    if (!plan) return undefined
    const ipv4 = fields.text('ipv4').trim()
    const name = fields.text('name').trim()
    if (!isIpv4(ipv4)) return { errors: [{ code: 'invalid_ipv4', param: 'ipv4' }] }
    const refused = await address.save(fields)
    if (refused) return refused
    const body = { ipv4, plan: plan.slug, expected_total: plan.price_total, ...(name ? { name } : {}) }
    const answer = await send(body, (headers) => call(orderHost, { headers, body }))
    if (answer.status !== 201) return refusedOrder(answer)
    const { host } = answer.body
    takeOrdered(host)
    toastSuccess(() => m.licences_host_ordered({ name: host.name }))
    onClose()
    onOrdered?.(host)
    return undefined
  })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      wide
      title={m.licences_order_host()}
      description={m.licences_order_host_text()}
    >
      <Form form={form} label={m.licences_order_host()}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            name="name"
            defaultValue={resumed?.name}
            label={m.hosts_name()}
            hint={m.hosts_name_hint()}
            maxLength={NAME_LENGTH}
            autoComplete="off"
            spellCheck={false}
          />
          <TextField
            name="ipv4"
            defaultValue={resumed?.ipv4}
            label={m.hosts_ipv4()}
            hint={m.licences_ipv4_hint()}
            required
            mono
            inputMode="decimal"
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        <PlanChoice plans={plans} chosen={plan} onChoose={setSlug} />
        {address.section}
        {plan ? <PriceSummary plan={plan} before={priceBefore(plan)} balance={balance} /> : null}
        <OrderActions
          plan={plan}
          balance={balance}
          pay={m.licences_pay}
          onWait={(element) => {
            const fields = new FormFields(element)
            const typed = {
              name: fields.text('name'),
              ipv4: fields.text('ipv4'),
              buyer: typedAddress(fields),
            }
            interruptOrder({ to: orderPath, plan: plan?.slug ?? '', ...typed })
          }}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  )
}
