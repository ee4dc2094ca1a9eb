import type { ReactNode } from 'react'
import { headActionsClass } from './button.tsx'
import { NoticePlace } from './notice-place.tsx'

type Props = {
  /** The content of the page's only h1, which gets the focus after a change of page. */
  title: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** True if the content has the place of announcements itself. */
  placesNotices?: boolean
  children: ReactNode
}

/** A page inside the shell: its heading and its content. */
export function Page({ title, description, actions, placesNotices = false, children }: Props) {
  return (
    <div className="mx-auto flex w-full max-w-[70rem] flex-col gap-6">
      <PageHeader title={title} description={description} actions={actions} placesNotices={placesNotices} />
      {children}
    </div>
  )
}

/** The heading of a page: title, description and actions, with the place of announcements below it. */
function PageHeader({ title, description, actions, placesNotices }: Omit<Props, 'children'>) {
  return (
    <>
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex min-h-9 min-w-0 flex-col justify-center sm:grow sm:basis-72">
          <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight text-balance outline-none">
            {title}
          </h1>
          {description ? <p className="mt-1 text-sm text-pretty text-muted">{description}</p> : null}
        </div>
        {actions ? <div className={headActionsClass}>{actions}</div> : null}
      </header>
      {placesNotices ? null : <NoticePlace />}
    </>
  )
}
