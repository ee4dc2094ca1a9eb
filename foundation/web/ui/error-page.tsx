import type { ReactNode } from 'react'
import { useLocale } from '#foundation/web/i18n/locale.ts'

/** The whole page says what went wrong and leads on; also for a thing that is not there (row R-06). */
export function ErrorPage({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  useLocale()
  return (
    <div className="mx-auto flex max-w-md flex-col items-start gap-4 px-4 py-16">
      <div>
        <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight">
          {title}
        </h1>
        <p className="mt-2 text-sm text-muted">{text}</p>
      </div>
      {children}
    </div>
  )
}
