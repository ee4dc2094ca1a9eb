import { createContext, use, useEffect } from 'react'
import type { ReactNode, SyntheticEvent } from 'react'
import { operator } from '#foundation/web/operator.ts'
import { Mark } from '#foundation/web/ui/mark.tsx'
import { LegalLinks } from '#foundation/web/ui/legal-links.tsx'
import { LocaleSwitcher, ThemeSwitcher } from '#foundation/web/ui/preferences.tsx'

/** Whether a view is shown that the page did not come with. Set after the first view was drawn. */
export const Moved = createContext<{ current: boolean }>({ current: false })

/** What stands around every view of the page: the mark, language and theme. */
export function AuthFrame({
  onInput,
  children,
}: {
  onInput: (event: SyntheticEvent) => void
  children: ReactNode
}) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex items-center justify-between gap-4 px-4 py-3 sm:px-6 sm:py-4">
        <div className="inline-flex items-center gap-2.5 font-semibold tracking-tight">
          <Mark />
          {operator.name}
        </div>
        <div className="flex items-center">
          <LocaleSwitcher />
          <ThemeSwitcher />
        </div>
      </header>
      <main
        id="content"
        onInput={onInput}
        className="mx-auto flex w-full max-w-sm flex-1 flex-col px-4 pt-6 pb-16 sm:pt-[12vh]"
      >
        {children}
      </main>
      <LegalLinks />
    </div>
  )
}

type ViewProps = { title: string; description?: ReactNode; footer?: ReactNode; children?: ReactNode }

/** One view: what it is about, the form, and the ways to the other views. */
export function AuthView({ title, description, footer, children }: ViewProps) {
  const moved = use(Moved)
  useEffect(() => {
    // A frame later: the page that holds the views learns of the change after them.
    const frame = requestAnimationFrame(() => {
      if (moved.current) focusView()
    })
    return () => cancelAnimationFrame(frame)
  }, [moved])
  return (
    <>
      <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight text-balance outline-none">
        {title}
      </h1>
      {description ? <p className="mt-2 text-sm text-pretty text-muted">{description}</p> : null}
      {children ? <div className="mt-6">{children}</div> : null}
      {footer ? <div className="mt-6 text-sm text-muted">{footer}</div> : null}
    </>
  )
}

/**
 * A change of view is a change of page to whoever cannot see it: the focus goes to its first empty field, or its
 * heading.
 */
function focusView(): void {
  const fields = [...document.querySelectorAll<HTMLInputElement>('main form input:not([hidden])')]
  const empty = fields.find((field) => field.value === '')
  const target = empty ?? fields[0] ?? document.querySelector<HTMLElement>('main h1')
  target?.focus()
}
