import { createContext, use, useEffect } from 'react'
import type { ReactNode, SyntheticEvent } from 'react'
import { lazyPart, useLoaded } from '#foundation/web/lazy-page.tsx'
import { operator } from '#foundation/web/operator.ts'
import { useTitle } from '#foundation/web/title.ts'
import { Mark } from '#foundation/web/ui/mark.tsx'
import { LegalLinks } from '#foundation/web/ui/legal-links.tsx'
import { m } from '#texts/messages.js'

const PagePreferences = lazyPart(() => import('./page-preferences.tsx').then((file) => file.PagePreferences))

/** True once a view other than the page's first one is shown. Set after the first view was drawn. */
export const Moved = createContext<{ current: boolean }>({ current: false })

/** The frame around every view of the page: the mark, language and theme. */
export function AuthFrame({
  onInput,
  children,
}: {
  onInput: (event: SyntheticEvent) => void
  children: ReactNode
}) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(28rem,2fr)_3fr]">
      <div className="flex min-w-0 flex-col">
        <header className="flex items-center justify-between gap-4 px-4 py-3 sm:px-6 sm:py-4">
          <div className="inline-flex items-center gap-2.5 font-semibold tracking-tight">
            <Mark />
            {operator.name}
          </div>
          <div className="flex min-h-9 items-center">
            {useLoaded(PagePreferences) ? <PagePreferences /> : null}
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
      <Aside />
    </div>
  )
}

/** Says what the product is in a few words, beside the form if there is room. */
function Aside() {
  return (
    <aside
      aria-label={operator.name}
      className="relative flex flex-col justify-center overflow-hidden border-l border-line bg-sunken px-[8%] max-lg:hidden"
    >
      <p className="max-w-md text-3xl leading-tight font-semibold tracking-tight text-balance">
        {m.auth_tagline()}
      </p>
    </aside>
  )
}

type ViewProps = { title: string; description?: ReactNode; footer?: ReactNode; children?: ReactNode }

/** One view: its title, the form, and links to the other views. */
export function AuthView({ title, description, footer, children }: ViewProps) {
  const moved = use(Moved)
  useTitle(title)
  useEffect(() => {
    // The effects of a child run first: the page sets `moved` after this effect, so the focus waits for a frame.
    const frame = requestAnimationFrame(() => {
      if (moved.current) focusView()
      else if (hasKeyboard()) emptyField()?.focus()
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

/** For a screen reader a change of view is a change of page: the focus goes to the first empty field, or to the heading. */
function focusView(): void {
  const target = emptyField() ?? fields()[0] ?? document.querySelector<HTMLElement>('main h1')
  target?.focus()
}

/**
 * True if the first field may get the focus on arrival, so that the user can type at once. On a phone the
 * keyboard would come up unasked, and cover half of the page.
 */
const hasKeyboard = (): boolean =>
  document.activeElement === document.body && !window.matchMedia('(pointer: coarse)').matches

const fields = () => [...document.querySelectorAll<HTMLInputElement>('main form input:not([hidden])')]
const emptyField = () => fields().find((field) => field.value === '')
