import type { ReactNode } from 'react'
import { operator } from '#foundation/web/operator.ts'
import { LegalLinks } from './legal-links.tsx'
import { Mark } from './mark.tsx'

type Props = {
  title: string
  text: string
  /** The form or buttons of the page. */
  children: ReactNode
}

/**
 * The frame of a page that the link of a mail leads to, for people who may not be signed in. Opening such a page must change nothing,
 * because programs that scan mails open links, too.
 */
export function MailLinkPage({ title, text, children }: Props) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex items-center gap-2.5 px-4 py-4 font-semibold tracking-tight sm:px-6">
        <Mark />
        {operator.name}
      </header>
      <main
        id="content"
        className="mx-auto flex w-full max-w-sm flex-1 flex-col gap-6 px-4 pt-6 pb-16 sm:pt-[12vh]"
      >
        <div role="status">
          <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight text-balance outline-none">
            {title}
          </h1>
          <p className="mt-2 text-sm text-pretty text-muted">{text}</p>
        </div>
        {children}
      </main>
      <LegalLinks />
    </div>
  )
}
