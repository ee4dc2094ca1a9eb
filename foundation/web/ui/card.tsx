import type { ReactNode } from 'react'
import { headActionsClass } from './button.tsx'
import { classNames } from './class-names.ts'

type Props = {
  title?: ReactNode
  /** One sentence under the title. */
  description?: ReactNode
  /** Buttons at the right of the title. */
  actions?: ReactNode
  /** A line at the bottom, on a sunken ground: notes and the submit button. */
  footer?: ReactNode
  /** The button at the right end of that line. */
  end?: ReactNode
  tone?: 'normal' | 'danger'
  children?: ReactNode
}

/** A group of things that belong together, framed by a hairline. Its title is an h2. */
export function Card({ title, description, actions, footer, end, tone = 'normal', children }: Props) {
  return (
    <section
      className={classNames(
        'flex flex-col overflow-hidden rounded-lg border bg-surface',
        tone === 'danger' ? 'border-danger-line' : 'border-line',
      )}
    >
      {title ? (
        <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 pt-5">
          <div className={classNames('min-w-0 flex-1', description ? 'basis-52' : 'basis-36')}>
            <h2 className="font-semibold text-balance">{title}</h2>
            {description ? <p className="mt-1 text-sm text-pretty text-muted">{description}</p> : null}
          </div>
          {actions ? <div className={headActionsClass}>{actions}</div> : null}
        </header>
      ) : null}
      {children ? <div className="flex-1 p-5">{children}</div> : <div className="flex-1 pb-5" />}
      {footer || end ? (
        <footer className="flex flex-wrap items-center justify-between gap-3 border-t border-line bg-sunken px-5 py-3 text-sm text-muted">
          {footer ? <div className="contents">{footer}</div> : null}
          {end ? <div className="ml-auto">{end}</div> : null}
        </footer>
      ) : null}
    </section>
  )
}
