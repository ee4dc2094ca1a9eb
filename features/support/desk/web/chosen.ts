import { useSyncExternalStore } from 'react'
import { listenersOf } from '#foundation/web/listeners.ts'
import type { LineError } from '#features/support/desk/several-contract.ts'
import type { Ticket } from '#features/support/tickets/contract.ts'

/** A ticket on which an act could not be done, and the code of the refusal. */
export type Failure = Pick<Ticket, 'id' | 'number' | 'subject'> & { code: LineError }

type Chosen = { ids: ReadonlySet<string>; failures: readonly Failure[] }

// The selection belongs to the page: the boxes in the rows of the list and the bar below the list share it.
let state: Chosen = { ids: new Set(), failures: [] }
let last: string | undefined
const readers = listenersOf()

function set(next: Partial<Chosen>): void {
  state = { ...state, ...next }
  readers.notify()
}

export const useChosen = (): Chosen => useSyncExternalStore(readers.add, () => state)

export const choose = (ids: Iterable<string>): void => set({ ids: new Set(ids), failures: [] })

/** Shows the tickets on which an act could not be done. They stay chosen. */
export const showFailures = (failures: readonly Failure[]): void =>
  set({ ids: new Set(failures.map(({ id }) => id)), failures })

export function toggle(id: string): void {
  last = id
  choose(state.ids.has(id) ? [...state.ids].filter((one) => one !== id) : [...state.ids, id])
}

/** Chooses all tickets from the one that was chosen last to this one, as they stand in the list. */
export function chooseUpTo(id: string, listed: readonly string[]): void {
  const [from, to] = [listed.indexOf(last ?? id), listed.indexOf(id)]
  if (from === -1 || to === -1) return toggle(id)
  choose([...state.ids, ...listed.slice(Math.min(from, to), Math.max(from, to) + 1)])
  last = id
}
