import Inbox from 'lucide-react/icons/inbox'
import SearchX from 'lucide-react/icons/search-x'
import { useTitle } from '#foundation/web/title.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { m } from '#texts/messages.js'
import { useDesk } from './hooks.ts'
import { DeskLinks } from './desk-links.tsx'
import { DeskList } from './desk-list.tsx'
import { DeskTabs } from './desk-tabs.tsx'
import { DeskTools } from './desk-tools.tsx'
import { narrows, useDeskFilter, type DeskChange, type DeskFilter, type Tab } from './filter.ts'

/** All customers' tickets by whose turn it is, the longest-waiting first (rows R-03, K-02, G-04). */
export function TicketsStaffPage() {
  useTitle(m.desk_title())
  const [filter, change] = useDeskFilter()
  return (
    <Page title={m.desk_title()} actions={<DeskLinks />}>
      <DeskTabs filter={filter} />
      <DeskTools filter={filter} onChange={change} />
      <Tickets filter={filter} onChange={change} />
    </Page>
  )
}

type Props = { filter: DeskFilter; onChange: (change: DeskChange) => void }

function Tickets({ filter, onChange }: Props) {
  const pages = useDesk(filter)
  return (
    <LoadedList
      query={pages}
      failed={m.desk_fetch_failed()}
      none={
        narrows(filter) ? <NothingFound filter={filter} onChange={onChange} /> : <Empty tab={filter.tab} />
      }
    >
      {(tickets) => <DeskList tickets={tickets} tab={filter.tab} outdated={pages.isPlaceholderData} />}
    </LoadedList>
  )
}

/** The match may be in another tab: a search that finds nothing in one offers all of them. */
function NothingFound({ filter, onChange }: Props) {
  const elsewhere = filter.tab !== 'all' && (filter.q !== undefined || filter.customer !== undefined)
  return (
    <EmptyState
      icon={<SearchX size={20} aria-hidden="true" />}
      title={m.desk_none_found()}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {elsewhere ? (
            <Button look="primary" onClick={() => onChange({ tab: 'all' })}>
              {m.desk_search_all()}
            </Button>
          ) : null}
          <Button onClick={() => onChange(NO_FILTER)}>{m.desk_show_all()}</Button>
        </div>
      }
    >
      {m.desk_none_found_text()}
    </EmptyState>
  )
}

const NO_FILTER = {
  topic: undefined,
  priority: undefined,
  assignee: undefined,
  customer: undefined,
  tag: undefined,
  late: undefined,
  q: undefined,
}

function Empty({ tab }: { tab: Tab }) {
  const { title, text } = EMPTY[tab]
  return (
    <EmptyState icon={<Inbox size={20} aria-hidden="true" />} title={title()}>
      {text()}
    </EmptyState>
  )
}

const EMPTY: Readonly<Record<Tab, { title: () => string; text: () => string }>> = {
  incoming: { title: m.desk_empty_incoming, text: m.desk_empty_incoming_text },
  processing: { title: m.desk_empty_processing, text: m.desk_empty_processing_text },
  waiting: { title: m.desk_empty_waiting, text: m.desk_empty_waiting_text },
  snoozed: { title: m.desk_empty_snoozed, text: m.desk_empty_snoozed_text },
  closed: { title: m.desk_empty_closed, text: m.desk_empty_closed_text },
  spam: { title: m.desk_empty_spam, text: m.desk_empty_spam_text },
  all: { title: m.desk_empty_incoming, text: m.desk_empty_incoming_text },
}
