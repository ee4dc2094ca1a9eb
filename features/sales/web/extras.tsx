import { useState } from 'react'
import type { ChosenExtras, Plan } from '#features/licences/contract.ts'
import { withExtras } from '#features/licences/rules.ts'
import { formatTerm } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

type Quantities = Readonly<Record<string, number>>
type Extra = NonNullable<Plan['extras']>[number]

/**
 * The extras of an order: the plan at its price with them (`priced`), the field that the order sends, and the fields that choose them. The
 * choice stays while the customer looks at another plan. A fee is only shown.
 */
export function useExtras(
  plan: Plan | undefined,
  { typed = {}, onlyAddons = false }: { typed?: Quantities | undefined; onlyAddons?: boolean } = {},
) {
  const [chosen, setChosen] = useState<Quantities>(typed)
  const offered = (plan?.extras ?? []).filter(({ kind }) => !onlyAddons || kind === 'addon')
  const quantityOf = ({ slug, quantity, most }: Extra) => Math.min(chosen[slug] ?? quantity, most)
  const quantities = Object.fromEntries(offered.map((extra) => [extra.slug, quantityOf(extra)]))
  const isNamed = offered.some(({ kind }) => kind !== 'setup')
  const extras: ChosenExtras = offered.flatMap(({ slug: extra, kind }) => {
    const quantity = quantities[extra] ?? 0
    return kind === 'setup' || quantity === 0 ? [] : [{ extra, quantity }]
  })
  const priced = plan && withExtras(plan, quantities)
  return {
    priced,
    /** The properties of the `PriceSummary`. */
    shown: { plan: priced?.plan, extras: priced?.lines ?? [], base: plan },
    sent: isNamed ? { extras } : {},
    chosen,
    section:
      plan && offered.length > 0 ? (
        <Extras
          term={plan.term}
          offered={offered}
          quantities={quantities}
          onChoose={(slug, quantity) => setChosen((before) => ({ ...before, [slug]: quantity }))}
        />
      ) : null,
  }
}

type Props = {
  term: Plan['term']
  offered: readonly Extra[]
  quantities: Quantities
  onChoose: (slug: string, quantity: number) => void
}

/** The fields of the extras, each with its price. */
function Extras({ term, offered, quantities, onChoose }: Props) {
  return (
    <fieldset className="rounded-md border border-line px-4 pt-2 pb-4">
      <legend className="px-1 text-sm font-medium">{m.sales_extras()}</legend>
      <div className="flex flex-col gap-4">
        {offered.map((extra) => (
          <ExtraField
            key={extra.slug}
            extra={extra}
            term={term}
            quantity={quantities[extra.slug] ?? 0}
            onChoose={(quantity) => onChoose(extra.slug, quantity)}
          />
        ))}
      </div>
    </fieldset>
  )
}

type FieldProps = {
  extra: Extra
  term: Plan['term']
  quantity: number
  onChoose: (quantity: number) => void
}

/** A fee as a sentence, a single piece as a box, and more as a number. */
function ExtraField({ extra, term, quantity, onChoose }: FieldProps) {
  const locale = useLocale()
  const { slug, kind, price_net, most } = extra
  const name = extra.name[locale]
  const price = formatMoney(price_net)
  const cost =
    kind === 'addon'
      ? m.sales_extra_per_term({ price, term: formatTerm(term) })
      : kind === 'setup'
        ? m.sales_extra_fee({ price })
        : m.sales_extra_once({ price })
  if (kind === 'setup')
    return (
      <p className="text-sm [overflow-wrap:anywhere]">
        <span className="font-medium">{name}</span> <span className="text-muted">{cost}</span>
      </p>
    )
  if (most === 1)
    return (
      <CheckboxField
        name={`extra.${slug}`}
        label={name}
        hint={cost}
        checked={quantity > 0}
        onChange={(event) => onChoose(event.target.checked ? 1 : 0)}
      />
    )
  return (
    <TextField
      name={`extra.${slug}`}
      label={name}
      hint={m.sales_extra_most({ cost, count: most })}
      type="number"
      inputMode="numeric"
      min={0}
      max={most}
      step={1}
      defaultValue={String(quantity)}
      autoComplete="off"
      onInput={({ currentTarget }) => {
        const typed = currentTarget.valueAsNumber
        if (Number.isInteger(typed) && typed >= 0) onChoose(Math.min(typed, most))
      }}
    />
  )
}
