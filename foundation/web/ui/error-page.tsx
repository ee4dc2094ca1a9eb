import type { ReactNode } from 'react'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { Mark } from './mark.tsx'

type Props = {
  /** A picture of the cause; our mark where there is none. */
  icon?: ReactNode
  title: string
  text: string
  /** The way out, and details for support. */
  children: ReactNode
}

/**
 * The page shows what went wrong and leads on: nothing at this address, no such thing, no right to see it, a page that
 * broke or did not come, no network (row R-06). All of them look alike.
 */
export function ErrorPage({ icon, title, text, children }: Props) {
  useLocale()
  return (
    <div className="mx-auto flex min-h-[60dvh] max-w-md flex-col items-center justify-center px-4 py-10 text-center">
      <div className="mb-5 flex size-12 items-center justify-center rounded-lg bg-sunken text-muted">
        {icon ?? <Mark />}
      </div>
      <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight text-balance outline-none">
        {title}
      </h1>
      <p className="mt-2 text-sm text-pretty text-muted">{text}</p>
      <div className="mt-6 flex flex-col items-center gap-4">{children}</div>
    </div>
  )
}
