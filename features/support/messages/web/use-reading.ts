import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { Message } from '#features/support/tickets/contract.ts'
import type { Shown } from './conversation.ts'
import { ReadRun } from './read-run.ts'

/** The longest time between two checks of the visible messages, since scrolling and a lost focus are only found by checking. */
const CHECK_MS = 200

type Unread = {
  /** The number of unread messages of others above the view; `below` is the number below it. */
  above: number
  below: number
}

type Wanted = {
  box: RefObject<HTMLElement | null>
  shown: Shown
  reader_id: string
  /**
   * Called each time the mark rises, with the number of the message up to which everything was seen, and whether somebody else wrote one of
   * those that the mark has passed.
   */
  onRead: (seq: number, byOthers: boolean) => void
}

/** Tracks what the reader really sees, reports the mark, and counts unread messages out of view. */
export function useReadTracking({ box, shown, reader_id, onRead }: Wanted) {
  const run = useRef<ReadRun>(null)
  const [unread, setUnread] = useState<Unread>(NONE)
  const [marked, setMarked] = useState(0)
  /** Checks what is in view. Returns the milliseconds until the next check. */
  const look = useEffectEvent((conversation: Shown): number => {
    const { messages, reads } = conversation
    const element = box.current
    if (!element || messages.length === 0) return CHECK_MS
    const told = reads.find(({ user_id }) => user_id === reader_id)?.seq ?? 0
    const present = (run.current ??= new ReadRun(told))
    const before = present.raiseTo(told)
    present.skip(messages.filter(({ author }) => author?.id === reader_id).map(({ seq }) => seq))
    const { first, last, ending } = inView(element)
    const now = performance.now()
    const mark = present.look(isInForeground() ? ending : [], now)
    if (mark > before) {
      const isPassed = ({ seq, author }: Message) => seq > before && seq <= mark && author?.id !== reader_id
      onRead(mark, messages.some(isPassed))
    }
    setMarked(mark)
    const next = countUnread(conversation, { mark, first, last, reader_id })
    setUnread((known) => (known.above === next.above && known.below === next.below ? known : next))
    return Math.min(CHECK_MS, present.msUntilNext(now))
  })
  // A message's time in view begins when it is shown. The next check comes when that time is over, since its author waits for the mark.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const check = () => {
      timer = setTimeout(check, look(shown))
    }
    check()
    return () => clearTimeout(timer)
  }, [shown])
  const { last_seq } = shown
  const markAll = useCallback(() => {
    setMarked(run.current?.raiseTo(last_seq) ?? 0)
    setUnread(NONE)
    onRead(last_seq, true)
  }, [last_seq, onRead])
  return { unread, markAll, all_read: marked >= last_seq }
}

const NONE: Unread = { above: 0, below: 0 }

/** True while this page is in the foreground: its tab is in front and its window has the focus. */
const isInForeground = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

/** Returns the numbers of the first and the last row that reach into the box, and of all rows whose last line is in the box. */
function inView(box: HTMLElement): { first: number; last: number; ending: number[] } {
  const { top, bottom } = box.getBoundingClientRect()
  const rows = box.querySelectorAll<HTMLElement>('[data-seq]')
  // The first row is found by bisection: the rows are in order from top to bottom.
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (rows[middle]!.getBoundingClientRect().bottom > top) high = middle
    else low = middle + 1
  }
  const ending: number[] = []
  let [first, last] = [0, 0]
  for (let at = low; at < rows.length; at += 1) {
    const place = rows[at]!.getBoundingClientRect()
    if (place.top >= bottom) break
    last = Number(rows[at]!.dataset['seq'])
    first ||= last
    // Half a line may be cut off by the edge.
    if (place.bottom <= bottom + 8) ending.push(last)
  }
  return { first, last, ending }
}

type At = { mark: number; first: number; last: number; reader_id: string }

function countUnread({ messages, last_seq }: Shown, { mark, first, last, reader_id }: At): Unread {
  const isUnread = ({ seq, kind, author }: Message) =>
    seq > mark && kind !== 'event' && author?.id !== reader_id
  const loaded = messages.filter(isUnread)
  // Messages that are not loaded are counted by number alone: their kind and author are unknown.
  const before = Math.max(0, (messages[0]?.seq ?? 1) - 1 - mark)
  const behind = last_seq - Math.max(mark, messages.at(-1)?.seq ?? 0)
  return {
    above: before + loaded.filter(({ seq }) => seq < first).length,
    below: Math.max(0, behind) + loaded.filter(({ seq }) => seq > last).length,
  }
}
