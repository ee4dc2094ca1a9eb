import { limitText } from '#features/invoices/texts.ts'
import type { System } from '#features/operations/contract.ts'
import { formatDay } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'

/** The limits on the turnover of this year; nothing for a seller whose VAT depends on none. */
export function Limits({ limits }: Pick<System, 'limits'>) {
  if (limits.length === 0) return null
  return (
    <section className="flex flex-col gap-3">
      <h2 className="font-semibold">{m.operations_limits()}</h2>
      <List label={m.operations_limits()}>
        {limits.map(({ name, sum, limit }) => (
          <ListRow
            key={name}
            title={limitText(name)}
            detail={m.operations_limit({ sum: formatMoney(sum), limit: formatMoney(limit) })}
          />
        ))}
      </List>
    </section>
  )
}

/** The periods that an audit holds; nothing without one. */
export function Holds({ holds }: Pick<System, 'holds'>) {
  if (holds.length === 0) return null
  return (
    <section className="flex flex-col gap-3">
      <h2 className="font-semibold">{m.operations_holds()}</h2>
      <p className="text-sm text-muted">{m.operations_holds_text()}</p>
      <List label={m.operations_holds()}>
        {holds.map(({ id, first_day, last_day, reason }) => (
          <ListRow
            key={id}
            title={m.operations_hold({
              number: String(id),
              first: formatDay(first_day),
              last: formatDay(last_day),
            })}
            detail={reason}
          />
        ))}
      </List>
    </section>
  )
}
