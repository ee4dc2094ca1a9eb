import { paths } from '#features/paths.ts'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import SearchX from 'lucide-react/icons/search-x'
import { useEffect, type ReactNode } from 'react'
import { actedFor, actFor } from '#foundation/web/acting.ts'
import { ButtonLink, Link, usePathValue } from '#foundation/web/navigation.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { ErrorPage } from '#foundation/web/ui/error-page.tsx'
import { isGone, LoadedPage } from '#foundation/web/ui/loaded.tsx'
import { Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import type { Host } from '#features/hosts/contract.ts'
import { useHost } from './hooks.ts'
import { HostDetails } from './host-details.tsx'

/** One server: its licence, its connection, its tickets, and its actions (rows H-01, H-02). */
export function HostDetailsPage() {
  const query = useHost(usePathValue('hostId'))
  const { data: host, error } = query
  useTitle(host?.name)
  // The page of a host that was deleted elsewhere still has the old data, and must not show it.
  const gone = isGone(error)
  useOwnersPage(host, gone)
  if (gone) {
    return (
      <ErrorPage
        icon={<SearchX size={22} aria-hidden="true" />}
        title={m.hosts_not_found()}
        text={m.hosts_not_found_text()}
      >
        <ButtonLink to={paths.hosts()}>{m.hosts_to_list()}</ButtonLink>
      </ErrorPage>
    )
  }
  return (
    <Below>
      <LoadedPage
        query={query}
        title={m.shell_server()}
        failed={m.hosts_fetch_failed()}
        waiting={<Waiting />}
      >
        {(host) => <HostDetails host={host} />}
      </LoadedPage>
    </Below>
  )
}

/** Shows a helped customer's server inside that customer's account, with the account's band and its other servers. */
function useOwnersPage(host: Host | undefined, gone: boolean): void {
  const account = gone ? undefined : host?.account
  const path = host ? paths.host(host.id) : ''
  useEffect(() => {
    if (account && account.id !== actedFor()?.id) actFor(account, path)
  }, [account, path])
}

/** Content below a link to the list, which on a phone is the only way there: the page has no menu button (row R-11). */
function Below({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto flex w-full max-w-[70rem] flex-col gap-3">
      <Link
        to={paths.hosts()}
        className="-ml-1 inline-flex h-6 w-fit items-center gap-1.5 rounded-sm px-1 text-sm text-muted hover:text-text"
      >
        <ArrowLeft size={15} aria-hidden="true" />
        {m.shell_servers()}
      </Link>
      {children}
    </div>
  )
}

function Waiting() {
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Skeleton className="h-80 rounded-lg" />
      <Skeleton className="h-80 rounded-lg" />
    </div>
  )
}
