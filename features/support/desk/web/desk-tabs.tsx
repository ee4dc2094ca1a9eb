import { paths } from '#features/paths.ts'
import { Tabs } from '#foundation/web/ui/tabs.tsx'
import { m } from '#texts/messages.js'
import { useCounts } from './hooks.ts'
import { tabs, type DeskFilter, type Tab } from './filter.ts'
import { TABS } from './tab-words.ts'

/** The tabs of row K-02, each with the number of its tickets; they keep filter and search. */
export function DeskTabs({ filter }: { filter: DeskFilter }) {
  const { data: counts } = useCounts()
  const held = counts?.held_mails ?? 0
  const isShown: Partial<Record<Tab, boolean>> = {
    all: needsAll(filter),
    spam: needsSpam(filter),
    snoozed: filter.tab === 'snoozed' || (counts?.snoozed ?? 0) > 0,
  }
  const shown = tabs.filter((tab) => isShown[tab] ?? true)
  const countOf = (tab: Tab) =>
    tab === 'closed' || tab === 'spam' || tab === 'all' ? undefined : counts?.[tab]
  return (
    <Tabs
      label={m.desk_tabs()}
      tabs={[
        ...shown.map((tab) => ({
          to: paths.desk({ ...filter, tab }),
          label: <Label text={TABS[tab]()} count={countOf(tab)} />,
          current: tab === filter.tab,
        })),
        ...(held > 0
          ? [
              {
                to: paths.heldMails(),
                label: <Label text={m.mail_in_title()} count={held} />,
                current: false,
              },
            ]
          : []),
      ]}
    />
  )
}

/**
 * True if the tab of all tickets is shown: the results of a search, the tickets of one customer, or late ones may be in every tab. Otherwise
 * a list of all tickets ever is of no use for work.
 */
const needsAll = ({ tab, q, customer, late }: DeskFilter): boolean =>
  tab === 'all' || q !== undefined || customer !== undefined || late !== undefined

/** True if the tab of spam is shown: beside the closed tickets, of which spam is a part. */
const needsSpam = ({ tab }: DeskFilter): boolean => tab === 'closed' || tab === 'spam'

function Label({ text, count }: { text: string; count: number | undefined }) {
  return (
    <>
      <span>{text}</span>
      {count === undefined ? null : (
        <span className="ml-2 rounded-full bg-hover px-1.5 py-0.5 text-xs text-muted">
          {count >= MOST ? `${MOST}+` : count}
        </span>
      )}
    </>
  )
}

/** The number up to which the server counts. */
const MOST = 1000
