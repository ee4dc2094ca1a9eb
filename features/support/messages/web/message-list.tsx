import ArrowDown from 'lucide-react/icons/arrow-down'
import CornerDownRight from 'lucide-react/icons/corner-down-right'
import { memo, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { Message } from '#features/support/tickets/contract.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { useHotkeys } from '#foundation/web/hotkeys.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { useOffline } from '#foundation/web/ui/offline-banner.tsx'
import { Returned } from '#features/support/mail/web/by-mail.tsx'
import { m } from '#texts/messages.js'
import type { Conversation, Shown } from './conversation.ts'
import { EventRow, MessageRow, OutgoingRow } from './message-row.tsx'
import type { Outgoing } from './outbox.ts'
import { AT_END_PX, useScrollAnchor } from './use-scroll-anchor.ts'
import { useReadTracking } from './use-reading.ts'

/** The scroll anchor holds the place (use-scroll-anchor.ts), not the browser. */
const KEEPS_PLACE_ITSELF = { overflowAnchor: 'none' } as const

type Props = {
  conversation: Conversation
  shown: Shown
  waiting: readonly Outgoing[]
  reader_id: string
  /** True if the reader is on the side of staff. */
  by_staff: boolean
  typing: string | undefined
  /** Called each time the reader's mark rises (use-reading.ts). */
  onRead: (seq: number, byOthers: boolean) => void
}

/** The distance to an end of the list at which the next page is fetched, so that scrolling seldom waits. */
const NEAR_PX = 600

/**
 * The messages in a scrolling window. It opens at the first unread one, keeps its place when older ones load above, follows the end while
 * the reader is there, and shows pills for new messages below and unseen ones above.
 */
export function MessageList({ conversation, shown, waiting, reader_id, by_staff, typing, onRead }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [atEnd, setAtEnd] = useState(shown.unread_from === undefined)
  const { following } = shown
  // The list is at its end where all messages are in view, wherever it opened.
  const onAllInView = useCallback(() => setAtEnd(following), [following])
  const { note, isPlacing, isAtNotedEnd } = useScrollAnchor({
    box,
    content,
    keepsToEnd: atEnd,
    onPlaced: () => look(),
    onAllInView,
  })
  const toEnd = async () => {
    if (!shown.following) await conversation.openEnd()
    box.current?.scrollTo({ top: box.current.scrollHeight })
    setAtEnd(true)
  }
  const { unanswered_seq } = shown
  const hasSeen = (seq: number) => shown.reads.some((read) => read.user_id === reader_id && read.seq >= seq)
  const toUnanswered = async (seq: number) => {
    if (!rowOf(box.current, seq)) await conversation.openAt(seq)
    rowOf(box.current, seq)?.scrollIntoView({ block: 'start' })
  }
  useSeeingOwn(waiting.length, () => void toEnd())
  const { unread, markAll, all_read } = useReadTracking({ box, shown, reader_id, onRead })
  useHotkeys({ U: all_read ? undefined : markAll })

  const lastTop = useRef(Infinity)
  function look(): void {
    const element = box.current
    if (!element) return
    const below = element.scrollHeight - element.scrollTop - element.clientHeight
    // The list has scrolled to its first position by itself: that does not mean following the end, however near the end is.
    if (isPlacing()) return
    const up = element.scrollTop < lastTop.current
    lastTop.current = element.scrollTop
    // A picture below has grown, so the end has moved and the reader has not: the scroll anchor follows the end in this same frame.
    if (atEnd && below >= AT_END_PX && isAtNotedEnd()) return
    note()
    if (below < AT_END_PX) setAtEnd(shown.following)
    // Only scrolling up leaves the end: growth below, or a window that shrinks, is followed.
    else if (up) setAtEnd(false)
    if (element.scrollTop < NEAR_PX && shown.older) void conversation.loadOlder()
    if (below < NEAR_PX && !shown.following) void conversation.loadNewer()
  }
  return (
    <div className="relative min-h-0 flex-1">
      {/* The box can get the focus, because the keyboard scrolls the element with the focus. */}
      <div
        ref={box}
        role="log"
        aria-label={m.messages_list()}
        aria-live="polite"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={look}
        className="h-full scroll-py-12 overflow-y-auto overscroll-contain"
        style={KEEPS_PLACE_ITSELF}
      >
        <div ref={content} className="flex min-h-full flex-col gap-1.5 px-1 py-3 low:py-1">
          <div className="flex-1" />
          {shown.messages.map((message, index) => (
            <Row
              key={message.seq}
              message={message}
              previous={shown.messages[index - 1]}
              own={message.author?.id === reader_id}
              unread={message.seq === shown.unread_from}
              conversation={conversation}
              by_staff={by_staff}
            />
          ))}
          {shown.following ? <End {...{ shown, waiting, reader_id, conversation, by_staff }} /> : null}
          <p aria-live="polite" className="min-h-5 px-1 text-xs text-muted">
            {typing}
          </p>
        </div>
      </div>
      {unread.above > 0 ? (
        <Pill at="top">
          <span className="text-xs text-muted">{m.messages_unread_above({ count: unread.above })}</span>
          <Button size="small" look="quiet" onClick={markAll}>
            {m.messages_mark_read()}
          </Button>
        </Pill>
      ) : null}
      {atEnd && shown.following ? null : (
        <Pill at="bottom">
          <Button size="small" icon={<ArrowDown size={14} aria-hidden="true" />} onClick={() => void toEnd()}>
            {belowText(unread.below)}
          </Button>
          {unanswered_seq && !hasSeen(unanswered_seq) ? (
            <Button
              size="small"
              icon={<CornerDownRight size={14} aria-hidden="true" />}
              onClick={() => void toUnanswered(unanswered_seq)}
            >
              {m.messages_to_unanswered()}
            </Button>
          ) : null}
        </Pill>
      )}
    </div>
  )
}

const rowOf = (box: HTMLElement | null, seq: number) => box?.querySelector(`[data-seq="${seq}"]`)

function belowText(count: number): string {
  if (count === 0) return m.messages_to_end()
  return m.messages_new_below({ count })
}

/** A bar over an edge of the messages, which it hides whole: no text shines through beside its buttons. */
function Pill({ at, children }: { at: 'top' | 'bottom'; children: ReactNode }) {
  return (
    <div
      className={`absolute inset-x-0 flex flex-wrap items-center justify-center gap-1 border-line bg-page py-1.5 ${at === 'top' ? 'top-0 border-b' : 'bottom-0 border-t'}`}
    >
      {children}
    </div>
  )
}

type EndProps = Pick<Props, 'shown' | 'waiting' | 'reader_id' | 'conversation' | 'by_staff'>

/** The end of the conversation: the reader's own messages that were just sent, and the messages that still wait to be sent. */
function End({ shown, waiting, reader_id, conversation, by_staff }: EndProps) {
  const online = !useOffline()
  return (
    <>
      {shown.ahead.map((message) => (
        <MessageRow key={message.seq} {...{ message, conversation, by_staff }} own first={false} />
      ))}
      <SeenLine shown={shown} reader_id={reader_id} />
      {waiting.map((entry) => (
        <OutgoingRow key={entry.client_id} entry={entry} online={online} />
      ))}
    </>
  )
}

type RowProps = Pick<Props, 'conversation' | 'by_staff'> & {
  message: Message
  previous: Message | undefined
  own: boolean
  unread: boolean
}

/** A row is drawn once: new messages do not redraw the hundreds that are there already. */
const Row = memo(function Row({ message, previous, own, unread, conversation, by_staff }: RowProps) {
  useLocale()
  return (
    <div data-seq={message.seq} className="flex flex-col gap-1.5">
      <DayLine message={message} previous={previous} />
      {unread ? <Line text={m.messages_unread()} accent /> : null}
      {message.kind === 'event' ? (
        <>
          <EventRow message={message} />
          {by_staff ? <Returned chatId={conversation.chat_id} seq={message.seq} /> : null}
        </>
      ) : (
        <MessageRow {...{ message, own, conversation, by_staff }} first={beginsGroup(message, previous)} />
      )}
    </div>
  )
})

/** Scrolls to the end when the user sends a message. */
function useSeeingOwn(waiting: number, toEnd: () => void): void {
  const before = useRef(waiting)
  useLayoutEffect(() => {
    if (waiting > before.current) toEnd()
    before.current = waiting
  })
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

/**
 * The line under the reader's last delivered message: 'seen' if somebody of the other side (customer and helpers, or staff) has read it.
 * Messages that are being sent show their own state.
 */
function SeenLine({ shown, reader_id }: { shown: Shown; reader_id: string }) {
  const last = shown.ahead.at(-1) ?? shown.messages.at(-1)
  if (
    !last ||
    (shown.newer && shown.ahead.length === 0) ||
    last.kind !== 'comment' ||
    last.author?.id !== reader_id
  )
    return null
  const { is_staff } = last.author
  const seen = shown.reads.some((read) => read.is_staff !== is_staff && read.seq >= last.seq)
  return <p className="px-1 text-right text-xs text-muted">{seen ? m.messages_seen() : m.messages_sent()}</p>
}

const GROUP_MS = 5 * 60_000

function beginsGroup(message: Message, previous: Message | undefined): boolean {
  if (!previous || previous.kind !== message.kind || previous.author?.id !== message.author?.id) return true
  return Date.parse(message.created_at) - Date.parse(previous.created_at) > GROUP_MS
}
