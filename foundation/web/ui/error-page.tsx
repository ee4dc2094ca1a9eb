import type { ReactNode } from 'react'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { useTitle } from '#foundation/web/title.ts'
import { Mark } from './mark.tsx'
import { NoticePlace } from './notice-place.tsx'

type Props = {
  /** An icon of the cause; the operator's mark by default. */
  icon?: ReactNode
  title: string
  text: string
  /** A button or link that leads on, and details for support. */
  children: ReactNode
}

/**
 * The page for all failures of a page (row R-06): no page at this address, no such thing, no permission, a page that threw or did
 * not load, no network. It says what is wrong and leads on.
 */
export function ErrorPage({ icon, title, text, children }: Props) {
  useLocale()
  useTitle(title)
  return (
    <>
      <NoticePlace />
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
    </>
  )
}
