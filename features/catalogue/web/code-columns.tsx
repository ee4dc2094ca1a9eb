import { lastMinute } from '#foundation/web/i18n/days.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { Badge, type Tone } from '#foundation/web/ui/badge.tsx'
import type { Column } from '#foundation/web/ui/data-table.tsx'
import { Day } from '#foundation/web/ui/day.tsx'
import { m } from '#texts/messages.js'

/** The columns that lists of codes share: of vouchers and of promo codes. */

type Code<State extends string> = {
  state: State
  used: number
  uses: number
  expires_at: string | null
  created_at: string
}

/** The words and the tones of states. */
export type StateTexts<State extends string> = Readonly<Record<State, readonly [() => string, Tone]>>

export const stateColumn = <State extends string>(texts: StateTexts<State>): Column<Code<State>> => ({
  name: 'state',
  head: m.catalogue_state(),
  value: ({ state }) => texts[state][0](),
  cell: ({ state }) => <Badge tone={texts[state][1]}>{texts[state][0]()}</Badge>,
})

export const usedColumn = (head: string): Column<Code<string>> => ({
  name: 'used',
  head,
  isNamed: true,
  value: ({ used, uses }) => m.catalogue_used({ used: String(used), uses: String(uses) }),
})

export const untilColumn = (): Column<Code<string>> => ({
  name: 'until',
  head: m.catalogue_until(),
  isNamed: true,
  value: ({ expires_at }) => expires_at ?? m.catalogue_valid_always(),
  cell: ({ expires_at: at }) => (at === null ? m.catalogue_valid_always() : <Day at={lastMinute(at)} />),
})

export const madeColumn = (): Column<Code<string>, '' | 'oldest'> => ({
  name: 'made',
  head: m.catalogue_made(),
  isNamed: true,
  isSpare: true,
  sort: { descending: '', ascending: 'oldest' },
  value: ({ created_at }) => created_at,
  cell: ({ created_at }) => formatDate(created_at),
})
