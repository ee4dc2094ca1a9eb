import type { ComponentProps } from 'react'
import { Link } from '#foundation/web/navigation.tsx'
import { m } from '#texts/messages.js'
import { NoticePlace } from './notice-place.tsx'
import { Page } from './page.tsx'

type Props = Omit<ComponentProps<typeof Page>, 'actions' | 'placesNotices'> & {
  account: string
  security: string
  people: string
  api: string
}

/**
 * A page of the settings. From 1024 px on the links to the other settings are at its left, else they are tabs under the
 * heading. The content is in a narrow column, in which forms are easier to read.
 */
export function SettingsPage({ account, security, people, api, children, ...heading }: Props) {
  return (
    <Page {...heading} placesNotices>
      <div className="flex flex-col gap-6 lg:grid lg:grid-cols-[10rem_minmax(0,45rem)] lg:items-start lg:gap-10">
        <nav
          aria-label={m.shell_settings()}
          className="flex gap-1 max-lg:overflow-x-auto max-lg:border-b max-lg:border-line lg:sticky lg:top-10 lg:flex-col"
        >
          <Link to={account} className={linkClass}>
            {m.shell_account()}
          </Link>
          <Link to={security} className={linkClass}>
            {m.shell_security()}
          </Link>
          <Link to={people} className={linkClass}>
            {m.shell_people()}
          </Link>
          <Link to={api} className={linkClass}>
            {m.shell_api()}
          </Link>
        </nav>
        <div className="flex min-w-0 flex-col gap-6">
          <NoticePlace />
          {children}
        </div>
      </div>
    </Page>
  )
}

const linkClass =
  'px-3 py-2 text-sm font-medium text-muted hover:text-text aria-[current=page]:text-text ' +
  'outline-offset-[-2px] max-lg:-mb-px max-lg:border-b-2 max-lg:border-transparent max-lg:aria-[current=page]:border-accent ' +
  'lg:rounded-md lg:hover:bg-hover lg:aria-[current=page]:bg-hover'
