import LifeBuoy from 'lucide-react/icons/life-buoy'
import Plus from 'lucide-react/icons/plus'
import SearchX from 'lucide-react/icons/search-x'
import { HelpLink } from '#features/help/web/help.ts'
import { paths } from '#features/paths.ts'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { listTickets } from '#features/support/tickets/contract.ts'
import { aboveTickets } from '#features/support/tickets/slots.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { pagedQueryFor } from '#foundation/web/api/query.ts'
import { useGo, useQueryValue } from '#foundation/web/navigation.tsx'
import { Slot } from '#foundation/web/slots.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { itemsOf, LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { SearchField } from '#foundation/web/ui/search-field.tsx'
import { Tabs } from '#foundation/web/ui/tabs.tsx'
import { m } from '#texts/messages.js'
import { NewTicketDialog } from './new-ticket-dialog.tsx'
import { TicketList } from './ticket-list.tsx'
import { ticketDraft, useDraftTitle } from './ticket-draft.ts'

/** A customer's tickets, open or closed (rows R-04, K-02), and the way to a new one. */
export function TicketsUserPage() {
  const go = useGo()
  const tab = useQueryValue('tab') === 'closed' ? 'closed' : 'open'
  // `?new=` opens the dialog: empty, or with the id of the ticket that the new one continues; `&host=` is the
  // server it is about.
  const asked = useQueryValue('new')
  const host_id = useQueryValue('host')
  const create = () => void go(paths.tickets({ tab, new: '' }))
  return (
    <Page
      title={m.tickets_title()}
      description={
        <>
          <span>{m.tickets_subtitle()}</span> <HelpLink />
        </>
      }
      actions={
        onlyReads() ? null : (
          <Button look="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={create}>
            {m.tickets_new()}
          </Button>
        )
      }
    >
      <Tabs
        label={m.tickets_tabs()}
        tabs={[
          { to: paths.tickets({ tab: 'open' }), label: m.tickets_tab_open(), current: tab === 'open' },
          { to: paths.tickets({ tab: 'closed' }), label: m.tickets_tab_closed() },
        ]}
      />
      <Slot of={aboveTickets} props={{}} />
      <DraftRow onContinue={create} />
      <Tickets tab={tab} q={useQueryValue('q')} onCreate={create} />
      <NewTicketDialog
        open={asked !== undefined}
        previous_id={asked === undefined || asked === '' ? undefined : asked}
        host_id={host_id}
        onClose={() => void go(paths.tickets({ tab }), { replace: true })}
        onCreated={({ id }) => void go(paths.ticket(id), { replace: true })}
      />
    </Page>
  )
}

type TicketsProps = { tab: 'open' | 'closed'; q: string | undefined; onCreate: () => void }

/** The list of tickets; the search field is shown only if there are tickets, or a search is on. */
function Tickets({ tab, q = '', onCreate }: TicketsProps) {
  const go = useGo()
  const pages = useInfiniteQuery({
    ...pagedQueryFor(listTickets, { query: { tab, ...(q ? { q } : {}) } }),
    placeholderData: keepPreviousData,
  })
  const search = (text: string) => {
    void go(paths.tickets({ tab, q: text || undefined }), { replace: true, resetScroll: false })
  }
  const field = (
    <SearchField
      label={m.tickets_search()}
      placeholder={m.tickets_search_placeholder()}
      value={q}
      onSearch={search}
    />
  )
  const none = q ? (
    <EmptyState
      icon={<SearchX size={20} aria-hidden="true" />}
      title={m.tickets_none_found()}
      action={<Button onClick={() => search('')}>{m.tickets_search_clear()}</Button>}
    >
      {m.tickets_none_found_text()}
    </EmptyState>
  ) : (
    <EmptyState
      icon={<LifeBuoy size={20} aria-hidden="true" />}
      title={tab === 'open' ? m.tickets_empty_title() : m.tickets_none_closed()}
      action={tab === 'open' && !onlyReads() ? <Button onClick={onCreate}>{m.tickets_new()}</Button> : null}
    >
      {tab === 'open' ? m.tickets_empty_text() : m.tickets_none_closed_text()}
    </EmptyState>
  )
  const count = itemsOf(pages)?.length
  return (
    <>
      {count !== undefined && (count > 0 || q !== '') ? field : null}
      <LoadedList query={pages} failed={m.tickets_fetch_failed()} none={none}>
        {(tickets) => <TicketList tickets={tickets} label={m.tickets_title()} />}
      </LoadedList>
    </>
  )
}

/** The row above the list for a new ticket that is half written, with buttons to continue it and to discard it. */
function DraftRow({ onContinue }: { onContinue: () => void }) {
  const title = useDraftTitle()
  if (title === undefined) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-dashed border-line-strong px-5 py-3 text-sm">
      <p dir="auto" className="min-w-0 flex-1 basis-48 truncate">
        {title === '' ? m.tickets_draft_untitled() : m.tickets_draft({ subject: title })}
      </p>
      <div className="flex gap-2">
        <Button size="small" onClick={onContinue}>
          {m.tickets_draft_continue()}
        </Button>
        <Button size="small" look="quiet" onClick={() => ticketDraft.forget()}>
          {m.tickets_draft_discard()}
        </Button>
      </div>
    </div>
  )
}
