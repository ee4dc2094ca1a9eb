import { paths } from '#features/paths.ts'
import { Suspense } from 'react'
import type { Host } from '#features/hosts/contract.ts'
import { hostOrder } from '#features/hosts/slots.ts'
import { actedFor, onlyReads } from '#foundation/web/acting.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useGo } from '#foundation/web/navigation.tsx'
import { Slot } from '#foundation/web/slots.tsx'
import { itemsOf, LoadedList, WaitingRows } from '#foundation/web/ui/loaded-list.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { useOpenAlerts } from './alert-hooks.ts'
import { Attention } from './attention.tsx'
import { useHosts } from './hooks.ts'
import { narrows, useHostFilter } from './filter.ts'
import { HostList } from './host-list.tsx'
import { HostTools } from './host-tools.tsx'

// Loaded separately, because most visits find servers.
const NoHosts = lazyPart(() => import('./no-hosts.tsx').then((file) => file.NoHosts))

/** All servers of the customer: state, paid end, and connection (rows H-01, H-02). */
export function HostPage() {
  const [filter, change] = useHostFilter()
  const pages = useHosts(filter)
  // The band begins the page, so the page waits for it: nothing moves once it is seen.
  const alerts = useOpenAlerts()
  const go = useGo()
  const open = (host: Host) => void go(paths.host(host.id))
  const firstUse = itemsOf(pages)?.length === 0 && !narrows(filter) && !pages.isPlaceholderData
  return (
    <Page
      title={m.shell_servers()}
      actions={
        // An order shows prices, which technical helpers do not see.
        actedFor()?.role === 'technical' || onlyReads() ? null : (
          <Slot
            of={hostOrder}
            props={{ onOrdered: open, isDialogOnly: firstUse }}
            waiting={<Skeleton className="h-11 w-36 sm:h-9" />}
          />
        )
      }
    >
      {alerts.data ? <Attention alerts={alerts.data} /> : null}
      {firstUse || alerts.isPending ? null : <HostTools filter={filter} onChange={change} />}
      {alerts.isPending ? <ToolsWaiting /> : null}
      <LoadedList
        query={alerts.isPending ? { ...pages, data: undefined } : pages}
        failed={m.hosts_list_failed()}
        waiting={<WaitingRows rows={5} />}
        none={
          <Suspense
            fallback={
              <Loading>
                <WaitingRows rows={5} />
              </Loading>
            }
          >
            <NoHosts
              isFirstUse={firstUse}
              onShowAll={() => change({ q: undefined, licence: undefined, connected: undefined })}
            />
          </Suspense>
        }
      >
        {(hosts) => <HostList hosts={hosts} outdated={pages.isPlaceholderData} />}
      </LoadedList>
    </Page>
  )
}

const ToolsWaiting = () => <Skeleton className="h-9 rounded-md" />
