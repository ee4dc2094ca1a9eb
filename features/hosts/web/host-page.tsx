import SearchX from 'lucide-react/icons/search-x'
import { hostOrder, hostPath, type Host } from '#features/hosts/contract.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { Place } from '#foundation/web/places.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { ErrorState } from '#foundation/web/ui/error-state.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { Mark } from '#foundation/web/ui/mark.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { useHosts } from './calls.ts'
import { narrows, useHostFilter } from './filter.ts'
import { HostList } from './host-list.tsx'
import { HostTools } from './host-tools.tsx'

/** All servers of the customer: what runs, until when it is paid, and whether it is connected (rows H-01, H-02). */
export function HostPage() {
  const [filter, change] = useHostFilter()
  const { hosts, error, refetch, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useHosts(filter)
  const go = useGo()
  const open = (host: Host) => void go(hostPath(host.id))
  const order = (
    <Place of={hostOrder} props={{ onOrdered: open }} waiting={<Skeleton className="h-10 w-36 sm:h-9" />} />
  )
  const firstUse = hosts?.length === 0 && !narrows(filter) && !isPlaceholderData
  return (
    <Page title={m.shell_servers()} actions={firstUse ? undefined : order}>
      {firstUse ? null : <HostTools filter={filter} onChange={change} />}
      {firstUse ? (
        <EmptyState
          icon={<Mark />}
          title={m.hosts_none()}
          steps={[m.hosts_step_order(), m.hosts_step_connect()]}
          action={order}
        >
          {m.hosts_none_text()}
        </EmptyState>
      ) : hosts?.length === 0 ? (
        <EmptyState
          icon={<SearchX size={20} aria-hidden="true" />}
          title={m.hosts_none_found()}
          action={
            <Button onClick={() => change({ q: undefined, licence: undefined, connected: undefined })}>
              {m.hosts_show_all()}
            </Button>
          }
        >
          {m.hosts_none_found_text()}
        </EmptyState>
      ) : hosts ? (
        <HostList
          hosts={hosts}
          outdated={isPlaceholderData}
          hasMore={hasNextPage}
          loadingMore={isFetchingNextPage}
          onMore={() => void fetchNextPage()}
        />
      ) : error ? (
        <ErrorState title={m.hosts_list_failed()} error={error} onRetry={() => void refetch()} />
      ) : (
        <Waiting />
      )}
    </Page>
  )
}

function Waiting() {
  return (
    <Loading>
      <div className="divide-y divide-line rounded-lg border border-line">
        {[0, 1, 2, 3, 4].map((row) => (
          <div key={row} className="flex items-center justify-between px-5 py-4">
            <div className="flex flex-col gap-2">
              <Skeleton className="h-4 w-40" />
              <Skeleton className="h-4 w-28" />
            </div>
            <Skeleton className="h-4 w-24" />
          </div>
        ))}
      </div>
    </Loading>
  )
}
