import { useId, type ReactNode } from 'react'
import type { Money } from '#foundation/money.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'

type ListProps = {
  label: string
  /** True while the rows of the former filter are still shown, which makes them paler. */
  isOutdated?: boolean
  children: ReactNode
}

/** A framed list whose rows are divided by hairlines. On a phone the parts of a row are below each other. */
export function List({ label, isOutdated, children }: ListProps) {
  return (
    <ul
      aria-label={label}
      aria-busy={isOutdated}
      className="ruled overflow-hidden rounded-lg border border-line bg-surface transition-opacity duration-150 aria-busy:opacity-60"
    >
      {children}
    </ul>
  )
}

type RowProps = {
  icon?: ReactNode
  title: ReactNode
  detail?: ReactNode
  badge?: ReactNode
  actions?: ReactNode
}

/**
 * A row of a list: a title, a detail below it, and actions at the right. The actions are a group that is named by the title, so that
 * a screen reader says, for example, whose roles the button 'Change roles' changes.
 */
export function ListRow({ icon, title, detail, badge, actions }: RowProps) {
  const id = useId()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5">
      {icon ? <div className="text-muted">{icon}</div> : null}
      <div className="min-w-0 flex-1 basis-48">
        <div className="flex flex-wrap items-center gap-2 text-sm font-medium [overflow-wrap:anywhere] max-sm:*:whitespace-normal">
          <span id={id}>{title}</span>
          {badge}
        </div>
        {detail ? <div className="text-sm text-muted [overflow-wrap:anywhere]">{detail}</div> : null}
      </div>
      {actions ? (
        <div role="group" aria-labelledby={id} className="ml-auto flex flex-wrap justify-end gap-2">
          {actions}
        </div>
      ) : null}
    </li>
  )
}

/** An amount at the beginning of a row's title. Without the space, a screen reader would read the amount and the next word as one. */
export const TitleAmount = ({ amount }: { amount: Money }) => (
  <>
    <span className="mr-1">{formatMoney(amount)}</span>{' '}
  </>
)
