import type { Translated } from '#foundation/locale.ts'
import type { Term } from '#features/licences/rules.ts'
import { formatTerm } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'

type PlanProps = {
  plans: readonly { slug: string; name: Translated; term: Term }[]
  value: string
  onChoose: (slug: string) => void
  empty?: string | undefined
}

/** The choice of a plan by name and term, without prices: the preview below shows the price for these servers. */
export function PlanField({ plans, value, onChoose, empty }: PlanProps) {
  const locale = useLocale()
  return (
    <SelectField
      name="plan"
      label={m.sales_plan()}
      value={value}
      onChange={(event) => onChoose(event.target.value)}
      {...(empty === undefined ? {} : { empty })}
      options={plans.map(({ slug, name, term }) => ({
        value: slug,
        label: m.sales_bulk_plan({ name: name[locale], term: formatTerm(term) }),
      }))}
    />
  )
}
