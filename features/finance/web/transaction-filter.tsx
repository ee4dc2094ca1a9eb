import { paths } from '#features/paths.ts'
import { useState } from 'react'
import { transactionTypes } from '#features/finance/rules.ts'
import { typeText } from '#features/finance/texts.ts'
import { anyText, oneOf, useUrlFilter, type ChangeOf, type FilterOf } from '#foundation/web/url-filter.ts'
import { DayFields } from '#foundation/web/ui/day-field.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { daysOf, periodOf, periods, type Period } from './period.ts'

const shape = { type: oneOf(transactionTypes), from: anyText, to: anyText }

export const useFilter = () => useUrlFilter(shape, paths.finances)

/** The fields for type and period. Fields for two days appear if no named period fits. */
export function TransactionFilter({
  filter,
  onChange,
}: {
  filter: FilterOf<typeof shape>
  onChange: (part: ChangeOf<typeof shape>) => void
}) {
  const [byHand, setByHand] = useState(false)
  const period = byHand ? undefined : periodOf(filter)
  const choosePeriod = (value: string) => {
    const named = periods.find((name) => name === value)
    setByHand(named === undefined)
    if (named) onChange(daysOf(named))
  }
  return (
    <div className="grid flex-1 gap-3 min-[26rem]:grid-cols-2 sm:flex sm:flex-wrap">
      <div className="sm:w-60">
        <SelectField
          name="type"
          label={m.finance_filter_type()}
          empty={m.finance_filter_type_all()}
          options={transactionTypes.map((type) => ({ value: type, label: typeText(type) }))}
          value={filter.type ?? ''}
          onChange={({ target: { value } }) => onChange({ type: oneOf(transactionTypes)(value) })}
        />
      </div>
      <div className="sm:w-44">
        <SelectField
          name="period"
          label={m.finance_filter_period()}
          options={[
            ...periods.map((name) => ({ value: name, label: PERIODS[name]() })),
            { value: 'own', label: m.finance_period_own() },
          ]}
          value={period ?? 'own'}
          onChange={({ target: { value } }) => choosePeriod(value)}
        />
      </div>
      {period === undefined ? <DayFields from={filter.from} to={filter.to} onChange={onChange} /> : null}
    </div>
  )
}

const PERIODS: Readonly<Record<Period, () => string>> = {
  all: m.finance_period_all,
  last_30_days: m.finance_period_last_30_days,
  this_month: m.finance_period_this_month,
  last_month: m.finance_period_last_month,
  this_year: m.finance_period_this_year,
  last_year: m.finance_period_last_year,
}
