import type { ReactNode } from 'react'

/** Nothing here yet: what this place is for in one sentence, and one thing to do. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon?: ReactNode
  title: string
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center rounded-lg border border-dashed border-line px-6 py-14 text-center">
      {icon ? (
        <div className="mb-4 flex size-11 items-center justify-center rounded-lg bg-sunken text-muted">
          {icon}
        </div>
      ) : null}
      <h2 className="font-semibold">{title}</h2>
      <p className="mt-1 max-w-md text-sm text-pretty text-muted">{children}</p>
      {action ? <div className="mt-5">{action}</div> : null}
    </div>
  )
}
