import { paths } from '#features/paths.ts'
import { Suspense, useState, type ComponentProps } from 'react'
import type { Host } from '#features/hosts/contract.ts'
import { isIpv4, NAME_LENGTH } from '#features/hosts/rules.ts'
import { acceptedTerms } from '#features/legal/rules.ts'
import { orderTerms } from '#features/legal/slots.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { FormFields } from '#foundation/web/form/form-fields.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Slot } from '#foundation/web/slots.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { Segments } from '#foundation/web/ui/segments.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { BeginNow, beginNow } from './begin-now.tsx'
import { useBuyerAddress } from './buyer-address.tsx'
import { useBalance, usePlans } from './hooks.ts'
import { OrderActions } from './order-actions.tsx'
import { OrderReference, orderReference } from './order-reference.tsx'
import { interruptOrder, resumeOrder } from './interrupted-order.ts'
import { missingFor } from './missing-amount.ts'
import { useNewHost } from './new-host.ts'
import { PlanChoice } from './plan-choice.tsx'
import { ProductChoice, useProduct } from './product-choice.tsx'
import { useExtras } from './extras.tsx'
import { PriceSummary } from './price-summary.tsx'
import { PromoField, usePromoCode } from './promo-code.tsx'
import { useShownPrices } from './shown-prices.ts'
import { usePaying, usePayOrder } from './use-paying.ts'
import { TrialActions, TrialSummary, useTrial } from './trial.tsx'

const OrderSeveral = lazyPart(() => import('./order-several.tsx').then((file) => file.OrderSeveral))

/** The page on which an order goes on that waited for money. */
const HERE = paths.hosts({ act: 'order' })

type Kind = 'paid' | 'free' | 'several'
type Props = DialogProps & { onOrdered?: (host: Host) => void }

/**
 * The dialog for a new server with a paid licence, a trial or a free licence, and for several new servers. The
 * price and the remaining balance are shown above the button (rows H-02, V-04). The name and the address of one
 * server stay when the customer switches between the three.
 */
export function OrderHost({ open, onClose, onOrdered }: Props) {
  const locale = useLocale()
  const [resumed] = useState(() => resumeOrder(HERE))
  const promo = usePromoCode(usePlans(), { typed: resumed?.promo })
  const { plans: all } = promo
  const balance = useBalance()
  const { plans, program, isProgram, choice: choiceOfProduct } = useProduct(all, resumed?.plan)
  const [wanted, setKind] = useState<Kind>(resumed?.lines === undefined ? 'paid' : 'several')
  const kind = program && wanted === 'free' ? 'paid' : wanted
  const isFree = kind === 'free'
  const [slug, setSlug] = useState(resumed?.plan)
  const offered = plans.data?.items.find((each) => each.slug === slug) ?? plans.data?.items[0]
  const priceBefore = useShownPrices(all.data?.items)
  const { isTrying, choice } = useTrial(offered)
  const [isOne, isPaid] = [kind !== 'several', kind === 'paid' && !isTrying]
  const extras = useExtras(offered, { typed: resumed?.extras })
  const plan = isPaid ? extras.priced?.plan : offered
  const { order, add, tryIt } = useNewHost()
  const address = useBuyerAddress(plan, resumed?.buyer)
  const paying = usePaying(isPaid ? missingFor(plan, balance) : undefined)
  const payOrder = usePayOrder(onClose)
  const form = useForm(async (fields) => {
    const ipv4 = fields.text('ipv4').trim()
    const typed = fields.text('name').trim()
    const name = typed ? { name: typed } : {}
    const at = program ? {} : { ipv4 }
    if (!program && !isIpv4(ipv4) && !(isFree && ipv4 === ''))
      return { errors: [{ code: 'invalid_ipv4', param: 'ipv4' }] }
    if (!isFree && !plan) return undefined
    if (isPaid && promo.applies(fields)) return undefined
    const refused = isPaid ? await address.save() : undefined
    if (refused) return refused
    const wish = {
      ...(plan && promo.sentFor(plan)),
      ...extras.sent,
      ...name,
      ...at,
      ...orderReference(fields),
      ...acceptedTerms(fields),
      ...beginNow(fields),
    }
    if (plan && paying) {
      const order = { for: 'order', plan: plan.slug, expected_total: plan.price_total } as const
      return (await payOrder(paying, fields, { ...order, ...wish }))?.refused
    }
    const host = await (isFree || !plan
      ? add({ ...name, ...(ipv4 ? { ipv4 } : {}) })
      : isTrying
        ? tryIt(plan, { ...name, ...at, ...acceptedTerms(fields) })
        : order(plan, wish))
    if ('errors' in host) return host
    onClose()
    onOrdered?.(host)
    return undefined
  })
  const paidOrFree = (
    <DialogForm
      onClose={onClose}
      form={form}
      act={m.hosts_add()}
      label={m.licences_order_host()}
      actions={
        isFree ? undefined : isTrying ? (
          <TrialActions onClose={onClose} />
        ) : (
          <OrderActions
            plan={plan}
            balance={balance}
            pay={m.sales_pay}
            payNow={m.sales_pay_order}
            paying={paying}
            onWait={(element) => {
              const fields = new FormFields(element)
              const chosen = { extras: extras.chosen, promo: promo.typedIn(fields) }
              const typed = { ...typedIn(fields), ...chosen, buyer: address.typed() }
              interruptOrder({ to: HERE, plan: plan?.slug ?? '', ...typed })
            }}
            onClose={onClose}
          />
        )
      }
    >
      {isFree || !isOne ? null : <PlanChoice plans={plans} chosen={offered} onChoose={setSlug} />}
      {isFree || !isOne ? null : choice}
      <Names isFree={isFree} isProgram={isProgram} {...resumed} />
      {isPaid ? extras.section : null}
      {isPaid ? address.section : null}
      {isPaid ? <OrderReference defaultValue={resumed?.reference} /> : null}
      {isPaid ? <PromoField of={promo.state} plan={offered} /> : null}
      {plan && isTrying && kind === 'paid' ? <TrialSummary plan={plan} /> : null}
      {isPaid ? <PriceSummary {...extras.shown} before={priceBefore} balance={balance} /> : null}
      {isFree || !isOne ? null : <Slot of={orderTerms} props={{}} />}
      {isPaid ? <BeginNow plan={plan} /> : null}
    </DialogForm>
  )
  const title = program ? program.name[locale] : m.licences_order_host()
  return (
    <Dialog open={open} onClose={onClose} wide title={title}>
      <div className="flex flex-col gap-5">
        <ProductChoice {...choiceOfProduct} />
        <KindOf chosen={kind} onChoose={setKind} isTrying={isTrying} isProgram={isProgram} />
        <div hidden={!isOne}>{paidOrFree}</div>
        {isOne ? null : (
          <Several
            to={HERE}
            resumed={resumed?.lines === undefined ? undefined : resumed}
            onClose={onClose}
            product={choiceOfProduct.chosen}
            isProgram={isProgram}
          />
        )}
      </div>
    </Dialog>
  )
}

function typedIn(fields: FormFields) {
  return {
    name: fields.text('name'),
    ipv4: fields.text('ipv4'),
    reference: fields.text('order_reference'),
  }
}

const Several = (props: ComponentProps<typeof OrderSeveral>) => (
  <Suspense>
    <OrderSeveral key={props.product} {...props} />
  </Suspense>
)

type KindProps = { chosen: Kind; onChoose: (kind: Kind) => void; isProgram: boolean }

/** The choice of a kind, with what it means. */
const KindOf = ({ isTrying, ...kinds }: KindProps & { isTrying: boolean }) => (
  <div>
    <Kinds {...kinds} />
    <p className="mt-2 text-sm text-muted">
      {kinds.chosen === 'free'
        ? m.hosts_add_text()
        : isTrying || kinds.isProgram || kinds.chosen === 'several'
          ? null
          : m.sales_order_host_text()}
    </p>
  </div>
)

function Kinds({ chosen, onChoose, isProgram }: KindProps) {
  return (
    <Segments
      name="kind"
      label={m.hosts_licence()}
      options={
        isProgram
          ? [
              { value: 'paid', text: m.sales_one_licence() },
              { value: 'several', text: m.sales_several_licences() },
            ]
          : [
              { value: 'paid', text: m.sales_paid() },
              { value: 'free', text: m.hosts_licence_free() },
              { value: 'several', text: m.sales_several() },
            ]
      }
      chosen={chosen}
      onChoose={onChoose}
    />
  )
}

type NamesProps = { isFree: boolean; isProgram: boolean; name?: string; ipv4?: string }

/** The fields for name and address; the address is required if a licence is ordered for the server. A program has none. */
function Names({ isFree, isProgram, name, ipv4 }: NamesProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        name="name"
        defaultValue={name}
        label={m.hosts_name()}
        hint={m.hosts_name_hint()}
        most={NAME_LENGTH}
        autoComplete="off"
        spellCheck={false}
      />
      {isProgram ? null : (
        <TextField
          name="ipv4"
          defaultValue={ipv4}
          label={m.hosts_ipv4()}
          hint={isFree ? m.hosts_ipv4_later() : m.sales_ipv4_hint()}
          required={!isFree}
          mono
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </div>
  )
}
