import type { ReactNode, Ref, SyntheticEvent } from 'react'
import { Mark } from '#foundation/web/ui/mark.tsx'
import { LocaleSwitcher, ThemeSwitcher } from '#foundation/web/ui/preferences.tsx'

/** What stands around every view of the page: the mark, language and theme. */
export function AuthFrame({
  ref,
  onInput,
  children,
}: {
  ref: Ref<HTMLElement>
  onInput: (event: SyntheticEvent) => void
  children: ReactNode
}) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex items-center justify-between gap-4 px-4 py-3 sm:px-6 sm:py-4">
        <div className="inline-flex items-center gap-2.5 font-semibold tracking-tight">
          <Mark />
          Hostdesk
        </div>
        <div className="flex items-center">
          <LocaleSwitcher />
          <ThemeSwitcher />
        </div>
      </header>
      <main
        id="content"
        ref={ref}
        onInput={onInput}
        className="mx-auto flex w-full max-w-sm flex-1 flex-col px-4 pt-6 pb-16 sm:pt-[12vh]"
      >
        {children}
      </main>
    </div>
  )
}

/** One view: what it is about, the form, and the ways to the other views. */
export function AuthView({
  title,
  description,
  footer,
  children,
}: {
  title: string
  description?: ReactNode
  footer?: ReactNode
  children?: ReactNode
}) {
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
