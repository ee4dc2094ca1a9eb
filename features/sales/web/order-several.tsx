import { useEffect, useState } from 'react'
import { orderTerms } from '#features/legal/slots.ts'
import { MOST_NEW_SERVERS } from '#features/sales/rules.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { FormFields } from '#foundation/web/form/form-fields.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { TextAreaField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { BeginNow } from './begin-now.tsx'
import { BulkEnd } from './bulk-end.tsx'
import { BulkSummary } from './bulk-summary.tsx'
import { usePlans } from './hooks.ts'
import { useExtras } from './extras.tsx'
import { interruptOrder, type InterruptedOrder } from './interrupted-order.ts'
import { NoneForSale } from './none-for-sale.tsx'
import { OrderReference } from './order-reference.tsx'
import { PlanField } from './plan-field.tsx'
import { PromoField, usePromoCode } from './promo-code.tsx'
import { programsIn, serversIn } from './server-lines.ts'
import { useBulk } from './use-bulk.ts'

const PAUSE_ms = 400

type Props = {
  /** The page on which the order goes on when it has waited for money. */
  to: string
  resumed: InterruptedOrder | undefined
  onClose: () => void
  /** The slug of the product; undefined where only one is sold. */
  product: string | undefined
  isProgram: boolean
}

/**
 * The form for several new servers, or licences of a program, with one plan. Each line of the typed or pasted text is one: a server has an
 * address, and a program a name alone.
 */
export function OrderSeveral({ to, resumed, onClose, product: of, isProgram }: Props) {
  const promo = usePromoCode(usePlans(), { typed: resumed?.promo })
  const { plans } = promo
  const offered = (plans.data?.items ?? []).filter(({ product }) => of === undefined || product?.slug === of)
  const [slug, setSlug] = useState(resumed?.plan)
  const chosen = offered.find((each) => each.slug === slug) ?? offered[0]
  const plan = chosen?.slug ?? ''
  const extras = useExtras(chosen, { typed: resumed?.extras })
  const [text, setText] = useState(resumed?.lines ?? '')
  // The field keeps the typed text itself; after lines were taken out, it begins anew with the remaining lines (`begun`).
  const [begun, setBegun] = useState(text)
  const settled = usePause(text)
  const { servers, wrong } = isProgram ? programsIn(settled) : serversIn(settled)
  const isReady =
    plan !== '' && servers.length > 0 && wrong.length === 0 && servers.length <= MOST_NEW_SERVERS
  const bulk = useBulk(
    {
      act: 'order',
      hosts: servers.map(({ line: _line, ...server }) => ({ ...server, ...extras.sent })),
      plan,
      ...(chosen && promo.sentFor(chosen)),
    },
    {
      applies: promo.applies,
      isReady: isReady && settled === text,
      onClose,
      onDone: ({ servers: ordered }) => {
        toastSuccess(() => m.sales_bulk_ordered({ count: ordered.length }))
        onClose()
      },
    },
  )
  const takeOut = (places: readonly number[]) => {
    const out = new Set(places.map((place) => servers[place]?.line))
    const left = text.split('\n').filter((_, line) => !out.has(line))
    setText(left.join('\n'))
    setBegun(left.join('\n'))
  }
  const wait = (element: HTMLFormElement) => {
    const fields = new FormFields(element)
    const reference = fields.text('order_reference')
    const chosen = { extras: extras.chosen, promo: promo.typedIn(fields) }
    interruptOrder({ to, plan, lines: text, reference, ...chosen })
  }
  return (
    <DialogForm
      form={bulk.form}
      act={isProgram ? m.sales_several_licences() : m.sales_several()}
      onClose={onClose}
      actions={<BulkEnd act="order" bulk={bulk} onWait={wait} onClose={onClose} />}
    >
      {plans.data?.items.length === 0 ? (
        <NoneForSale />
      ) : (
        <PlanField plans={offered} value={plan} onChoose={setSlug} />
      )}
      {extras.section}
      <TextAreaField
        key={begun}
        name="lines"
        label={isProgram ? m.sales_several_names() : m.sales_several_lines()}
        hint={(isProgram ? m.sales_several_names_hint : m.sales_several_hint)({ count: MOST_NEW_SERVERS })}
        rows={6}
        spellCheck={false}
        defaultValue={begun}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {wrong.length > 0 ? (
        <Alert tone="warning">
          <ul className="flex flex-col gap-1">
            {wrong.map(({ line, text: typed }) => (
              <li key={line} className="[overflow-wrap:anywhere]">
                {(isProgram ? m.sales_several_wrong_name : m.sales_several_wrong)({
                  line: line + 1,
                  text: typed,
                })}
              </li>
            ))}
          </ul>
        </Alert>
      ) : null}
      {servers.length > MOST_NEW_SERVERS ? (
        <Alert tone="warning">{m.sales_bulk_most({ count: MOST_NEW_SERVERS })}</Alert>
      ) : null}
      {isReady ? (
        <BulkSummary
          act="order"
          bulk={bulk}
          onTakeOut={(refused) => takeOut(refused.map(({ place }) => place))}
        />
      ) : null}
      <OrderReference defaultValue={resumed?.reference} />
      <PromoField of={promo.state} plan={chosen} />
      <Slot of={orderTerms} props={{}} />
      <BeginNow plan={bulk.preview} />
    </DialogForm>
  )
}

/** Returns the text, each change only once nobody has typed for `PAUSE_ms`. */
function usePause(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_ms)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
