import { paths } from '#features/paths.ts'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import SearchX from 'lucide-react/icons/search-x'
import { useEffect, type ReactNode } from 'react'
import { actedFor, actFor } from '#foundation/web/acting.ts'
import { CallError } from '#foundation/web/api/query.ts'
import { ButtonLink, Link, usePathValue } from '#foundation/web/navigation.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { ErrorPage } from '#foundation/web/ui/error-page.tsx'
import { ErrorState } from '#foundation/web/ui/error-state.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import type { Host } from '#features/hosts/contract.ts'
import { useHost } from './hooks.ts'
import { HostDetails } from './host-details.tsx'

/** One server: its licence, its connection, its tickets, and its actions (rows H-01, H-02). */
export function HostDetailsPage() {
  const { data: host, error, refetch } = useHost(usePathValue('hostId'))
  useTitle(host?.name)
  // The page of a host that was deleted elsewhere still has the old data, and must not show it.
  const gone = error instanceof CallError && error.answer.status === 404
  useOwnersPage(host, gone)
  if (host && !gone) {
    return (
      <Below>
        <HostDetails host={host} />
      </Below>
    )
  }
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
      <Page title={m.shell_server()}>
        {error ? (
          <ErrorState title={m.hosts_fetch_failed()} error={error} onRetry={() => void refetch()} />
        ) : (
          <Waiting />
        )}
      </Page>
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
    <Loading>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Skeleton className="h-80 rounded-lg" />
        <Skeleton className="h-80 rounded-lg" />
      </div>
    </Loading>
  )
}
