import ArrowDown from 'lucide-react/icons/arrow-down'
import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Message } from '#features/tickets/contract.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { useOffline } from '#foundation/web/ui/offline-banner.tsx'
import { m } from '#texts/messages.js'
import type { Conversation, Shown } from './conversation.ts'
import { EventRow, MessageRow, OutgoingRow } from './message-row.tsx'
import type { Outgoing } from './outbox.ts'
import { AT_END_PX, usePlace } from './use-place.ts'

type Props = {
  conversation: Conversation
  shown: Shown
  waiting: readonly Outgoing[]
  reader_id: string
  typing: string | undefined
  /** Told while the end is in view and somebody looks: everything up to this number is read. */
  onRead: (seq: number) => void
}

/** Near an end the next page is fetched, so that scrolling seldom waits. */
const NEAR_PX = 600

/**
 * The messages in a scrolling window. It keeps its place when older ones come in above, follows the end while one is there,
 * and tells by a pill when something new was said below.
 */
export function MessageList({ conversation, shown, waiting, reader_id, typing, onRead }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [atEnd, setAtEnd] = useState(true)
  const online = !useOffline()
  const note = usePlace(box, atEnd)
  const toEnd = async () => {
    if (!shown.following) await conversation.openEnd()
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }
  useSeeingOwn(waiting.length, () => void toEnd())
  useReading(shown, atEnd, onRead)

  // A keyboard that comes up, or a turned phone, must not push the last word out of sight.
  useEffect(() => {
    const element = box.current
    if (!element || !atEnd) return undefined
    const sizeOf = () => `${element.clientWidth}×${element.clientHeight}`
    let size = sizeOf()
    // It is told of the size at the beginning, too, a frame later: who has scrolled by then stays where they are.
    const watch = new ResizeObserver(() => {
      if (size !== sizeOf()) element.scrollTo({ top: element.scrollHeight })
      size = sizeOf()
    })
    watch.observe(element)
    return () => watch.disconnect()
  }, [atEnd])

  const lastTop = useRef(Infinity)
  const look = () => {
    const element = box.current
    if (!element) return
    note()
    const below = element.scrollHeight - element.scrollTop - element.clientHeight
    const up = element.scrollTop < lastTop.current
    lastTop.current = element.scrollTop
    if (below < AT_END_PX) setAtEnd(shown.following)
    // Only who scrolls up leaves the end: what grows below, or a window that shrinks, is followed.
    else if (up) setAtEnd(false)
    if (element.scrollTop < NEAR_PX && shown.older) void conversation.loadOlder()
    if (below < NEAR_PX && !shown.following) void conversation.loadNewer()
  }
  return (
    <div className="relative min-h-0 flex-1">
      {/* Keyboards scroll what has the focus. */}
      <div
        ref={box}
        role="log"
        aria-label={m.chat_messages()}
        aria-live="polite"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={look}
        className="flex h-full flex-col gap-1.5 overflow-y-auto overscroll-contain px-1 py-3 [overflow-anchor:none]"
      >
        <div className="flex-1" />
        {shown.messages.map((message, index) => (
          <Row
            key={message.seq}
            message={message}
            previous={shown.messages[index - 1]}
            own={message.author?.id === reader_id}
            unread={message.seq === shown.unread_from}
          />
        ))}
        {shown.following ? (
          <>
            {shown.ahead.map((message) => (
              <MessageRow key={message.seq} message={message} own first={false} />
            ))}
            {waiting.map((entry) => (
              <OutgoingRow key={entry.client_id} entry={entry} online={online} />
            ))}
          </>
        ) : null}
        <SeenLine shown={shown} reader_id={reader_id} />
        <p aria-live="polite" className="min-h-5 px-1 text-xs text-muted">
          {typing}
        </p>
      </div>
      {atEnd && shown.following ? null : (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <div className="pointer-events-auto">
            <Button
              size="small"
              icon={<ArrowDown size={14} aria-hidden="true" />}
              onClick={() => void toEnd()}
            >
              {m.chat_to_end()}
            </Button>
          </div>
        </div>
      )}
    </div>
  )
}

type RowProps = { message: Message; previous: Message | undefined; own: boolean; unread: boolean }

/** Drawn once: when more comes in, the hundreds of messages that are there already cost nothing. */
const Row = memo(function Row({ message, previous, own, unread }: RowProps) {
  useLocale()
  return (
    <div data-seq={message.seq} className="flex flex-col gap-1.5">
      <DayLine message={message} previous={previous} />
      {unread ? <Line text={m.chat_unread()} accent /> : null}
      {message.kind === 'event' ? (
        <EventRow message={message} />
      ) : (
        <MessageRow message={message} own={own} first={beginsGroup(message, previous)} />
      )}
    </div>
  )
})

/** Whoever says something sees it. */
function useSeeingOwn(waiting: number, toEnd: () => void): void {
  const before = useRef(waiting)
  useLayoutEffect(() => {
    if (waiting > before.current) toEnd()
    before.current = waiting
  })
}

/** Reads are told while the end is in view and the page is looked at, not when a tab in the background hears of news. */
function useReading({ last_seq, newer, state }: Shown, atEnd: boolean, onRead: (seq: number) => void): void {
  useEffect(() => {
    if (!atEnd || newer || state !== 'ready' || last_seq === 0) return undefined
    const tell = () => {
      if (document.visibilityState === 'visible') onRead(last_seq)
    }
    const timer = setTimeout(tell, 400)
    document.addEventListener('visibilitychange', tell)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', tell)
    }
  }, [last_seq, newer, state, atEnd, onRead])
}

function DayLine({ message, previous }: { message: Message; previous: Message | undefined }) {
  const day = formatDate(message.created_at)
  return previous && formatDate(previous.created_at) === day ? null : <Line text={day} />
}

function Line({ text, accent }: { text: string; accent?: boolean }) {
  return (
    <div
      data-unread={accent ? true : undefined}
      className={`flex items-center gap-3 py-2 text-xs font-medium ${accent ? 'text-accent-text' : 'text-muted'}`}
    >
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
      {text}
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
    </div>
  )
}

/** Whether the other side has seen the last word. */
function SeenLine({ shown, reader_id }: { shown: Shown; reader_id: string }) {
  const last = shown.messages.at(-1)
  if (!last || shown.newer || last.kind !== 'comment' || last.author?.id !== reader_id) return null
  const seen = shown.reads.some(({ user_id, seq }) => user_id !== reader_id && seq >= last.seq)
  return <p className="px-1 text-right text-xs text-muted">{seen ? m.chat_seen() : m.chat_sent()}</p>
}

const GROUP_MS = 5 * 60_000

function beginsGroup(message: Message, previous: Message | undefined): boolean {
  if (!previous || previous.kind !== message.kind || previous.author?.id !== message.author?.id) return true
  return Date.parse(message.created_at) - Date.parse(previous.created_at) > GROUP_MS
}
