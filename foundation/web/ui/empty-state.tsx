import type { ReactNode } from 'react'

type Props = {
  icon?: ReactNode
  title: string
  /** The steps by which the reader begins. */
  steps?: readonly string[]
  children: ReactNode
  action?: ReactNode
}

/** Takes the place of an empty list: one sentence on what the list is for, and one thing to do. */
export function EmptyState({ icon, title, steps, children, action }: Props) {
  return (
    <div className="flex flex-col items-center rounded-lg border border-dashed border-line px-6 py-14 text-center">
      {icon ? (
        <div className="mb-4 flex size-11 items-center justify-center rounded-lg bg-sunken text-muted">
          {icon}
        </div>
      ) : null}
      <h2 className="font-semibold">{title}</h2>
      <p className="mt-1 max-w-md text-sm text-pretty text-muted">{children}</p>
      {steps ? (
        <ol className="mt-6 grid gap-3 text-start text-sm">
          {steps.map((step, index) => (
            <li key={step} className="flex items-baseline gap-3">
              <span
                aria-hidden="true"
                className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent-text"
              >
                {index + 1}
              </span>
              {step}
            </li>
          ))}
        </ol>
      ) : null}
      {action ? <div className="mt-6">{action}</div> : null}
    </div>
  )
}
