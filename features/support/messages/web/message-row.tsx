import Clock from 'lucide-react/icons/clock'
import Lock from 'lucide-react/icons/lock'
import RotateCw from 'lucide-react/icons/rotate-cw'
import type { ReactNode } from 'react'
import type { Message } from '#features/support/tickets/contract.ts'
import { priorities, topics } from '#features/support/tickets/rules.ts'
import { priorityText, topicText } from '#features/support/tickets/web/words.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { useErrorTexts } from '#foundation/web/i18n/use-error-texts.ts'
import { formatDateTime, formatTime } from '#foundation/web/i18n/format.ts'
import { operator } from '#foundation/web/operator.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { noteText } from '#features/support/messages/slots.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { MarkedText } from '#foundation/web/ui/marked-text.tsx'
import { m } from '#texts/messages.js'
import { ByMail, Returned } from '#features/support/mail/web/by-mail.tsx'
import { MessageFiles } from '#features/support/files/web/message-files.tsx'
import type { Conversation } from './conversation.ts'
import { MessageMenu } from './message-menu.tsx'
import { MessageSecret } from './message-secret.tsx'
import { forget, keep, type Outgoing } from './outbox.ts'
import { flushOutbox } from './sender.ts'

type Side = 'own' | 'other' | 'note'

type RowProps = {
  message: Message
  own: boolean
  first: boolean
  conversation: Conversation
  /** True if the reader is on the side of staff. */
  by_staff: boolean
}

/** One message: the reader's own at the right, others at the left, with the name above the first of a group. */
export function MessageRow({ message, own, first, conversation, by_staff }: RowProps) {
  const { author, kind, created_at } = message
  const { chat_id } = conversation
  const side: Side = kind === 'note' ? 'note' : own ? 'own' : 'other'
  return (
    <Bubble
      side={side}
      above={
        first ? (
          <>
            <span className="font-medium text-text">{own ? m.messages_you() : nameOf(author)}</span>
            {author?.is_staff && !own ? <Badge tone="accent">{m.messages_support()}</Badge> : null}
            {kind === 'note' ? <NoteBadge /> : null}
            <time dateTime={created_at} title={formatDateTime(created_at)}>
              {formatTime(created_at)}
            </time>
          </>
        ) : null
      }
      beside={<MessageMenu message={message} conversation={conversation} by_staff={by_staff} own={own} />}
    >
      <MessageContent message={message} chat_id={chat_id} own={own} by_staff={by_staff} />
    </Bubble>
  )
}

type ContentProps = Pick<RowProps, 'message' | 'own' | 'by_staff'> & { chat_id: string }

/** All that a message holds: text, secret, files, and the lines that say what has gone from it, or how it came. */
export function MessageContent({ message, chat_id, own, by_staff }: ContentProps) {
  const { author, kind, text, moved, seq } = message
  return (
    <>
      {text.trim() === '' ? null : kind === 'note' ? (
        <Slot of={noteText} props={{ text }} waiting={<MarkedText text={text} />} />
      ) : (
        <MarkedText text={text} />
      )}
      {message.secret ? <MessageSecret message={message} chat_id={chat_id} by_staff={by_staff} /> : null}
      <MessageFiles attachments={message.attachments} />
      {message.redacted ? <RemovedLine redacted={message.redacted} /> : null}
      {message.by_mail ? <ByMail chatId={chat_id} seq={seq} may={by_staff || own} /> : null}
      {by_staff && author?.is_staff && kind === 'comment' ? <Returned chatId={chat_id} seq={seq} /> : null}
      {moved ? <p className="text-muted">{m.messages_moved({ number: String(moved.number) })}</p> : null}
    </>
  )
}

/** The line that says which part of a message was removed, when and by whom. */
function RemovedLine({ redacted }: { redacted: NonNullable<Message['redacted']> }) {
  const { at, by, by_staff, text, files } = redacted
  const name = by || (by_staff ? m.messages_support_of({ operator: operator.name }) : m.messages_gone())
  const time = formatDateTime(at)
  return (
    <p className="text-muted italic">
      {text ? m.messages_removed({ name, time }) : m.messages_file_removed({ count: files, name, time })}
    </p>
  )
}

/** The name to show: staff may have no name that customers see, and the account of a person may be gone. */
export const nameOf = (author: Message['author']): string =>
  author === null
    ? operator.name
    : (author.for ? m.messages_author_for({ name: author.name, customer: author.for }) : author.name) ||
      (author.is_staff ? m.messages_support_of({ operator: operator.name }) : m.messages_gone())

/** A message of the reader that is not confirmed: it is being sent, waits for the network, or was refused, with the possible actions. */
export function OutgoingRow({ entry, online }: { entry: Outgoing; online: boolean }) {
  const { kind, text, attachments, refused } = entry
  const hasTexts = useErrorTexts(refused !== undefined)
  return (
    <Bubble
      side={kind === 'note' ? 'note' : 'own'}
      above={kind === 'note' ? <NoteBadge /> : null}
      pale={!refused}
    >
      {text.trim() === '' ? null : <MarkedText text={text} />}
      <MessageFiles attachments={attachments} />
      {refused ? (
        <div className="mt-2 flex flex-col gap-2 text-xs text-danger-text">
          <p>
            <span>{m.messages_not_sent()}</span>{' '}
            {refused[0] && hasTexts ? <span>{errorText(refused[0])}</span> : null}
          </p>
          <div className="flex gap-2">
            <Button
              size="small"
              icon={<RotateCw size={14} aria-hidden="true" />}
              onClick={() => sendAgain(entry)}
            >
              {entry.acts ? m.messages_send_without_acts() : m.messages_send_again()}
            </Button>
            <Button size="small" look="quiet" onClick={() => forget(entry.client_id)}>
              {m.messages_discard()}
            </Button>
          </div>
        </div>
      ) : (
        <p className="mt-1 flex items-center gap-1 text-xs text-muted">
          <Clock size={12} aria-hidden="true" />
          {online ? m.messages_sending() : m.messages_waiting()}
        </p>
      )}
    </Bubble>
  )
}

/** Sends a refused message again. Its deleted files would be refused for ever, so the text is sent without them, and without the acts of a macro. */
function sendAgain({ refused, ...entry }: Outgoing): void {
  // The acts of a macro were refused: its assignee has left, or there are too many tags. The text goes without them.
  const { acts: _, ...reply } = entry
  const lost = refused?.some(({ code }) => code === 'unknown_attachment') && entry.text.trim() !== ''
  keep(lost ? { ...reply, attachments: [] } : reply)
  flushOutbox()
}

export const NoteBadge = () => (
  <Badge tone="warning">
    <Lock size={11} aria-hidden="true" />
    {m.messages_note()}
  </Badge>
)

/** An event of the ticket: a thin line with the person who caused it. */
export function EventRow({ message }: { message: Message }) {
  const { event, author, created_at } = message
  if (!event) return null
  return (
    <p className="mx-auto max-w-prose py-1 text-center text-xs text-muted">
      {eventText(event.code, event.params, nameOf(author))}{' '}
      <time dateTime={created_at} title={formatDateTime(created_at)}>
        {formatTime(created_at)}
      </time>
    </p>
  )
}

function eventText(code: string, params: Record<string, string>, name: string): string {
  switch (code) {
    case 'taken':
      return m.messages_event_taken({ name })
    case 'handed_over':
      return m.messages_event_handed_over({ name, to: params['name'] || m.messages_colleague() })
    case 'given_back':
      return m.messages_event_given_back({ name })
    case 'closed':
      return m.messages_event_closed({ name })
    case 'auto_closed':
      return m.messages_event_auto_closed()
    case 'moved':
      return m.messages_moved({ number: params['number'] ?? '' })
    case 'merged':
      return m.messages_event_merged({ name, number: params['number'] ?? '' })
    case 'merged_from':
      return m.messages_event_merged_from({ name, number: params['number'] ?? '' })
    case 'merge_undone':
    case 'merge_ended':
      return m.messages_event_merge_undone({ name })
    case 'split_off':
      return m.messages_event_split_off({ name, number: params['number'] ?? '' })
    case 'split_from':
      return m.messages_event_split_from({ name, number: params['number'] ?? '' })
    case 'reopened':
      return m.messages_event_reopened({ name })
    case 'priority_changed':
      return m.messages_event_priority({ name, value: nameIn(priorities, params['priority'], priorityText) })
    case 'topic_changed':
      return m.messages_event_topic({ name, value: nameIn(topics, params['topic'], topicText) })
    default:
      return code
  }
}

/** Returns the text of a known value. A value that only a newer server knows is shown as it came. */
function nameIn<T extends string>(known: readonly T[], value = '', textOf: (value: T) => string): string {
  const one = known.find((candidate) => candidate === value)
  return one === undefined ? value : textOf(one)
}

const WIDEST = { maxWidth: 'min(42rem, 88%)' }

function Bubble({
  side,
  above,
  pale,
  beside,
  children,
}: {
  side: Side
  above: ReactNode
  pale?: boolean
  /** The menu of the message. */
  beside?: ReactNode
  children: ReactNode
}) {
  return (
    <div className={classNames('flex flex-col', side === 'own' ? 'items-end' : 'items-start')}>
      {above ? <div className="mb-1 flex items-center gap-2 px-1 text-xs text-muted">{above}</div> : null}
      <div className={classNames('flex w-full items-start gap-1', side === 'own' && 'flex-row-reverse')}>
        <div
          style={WIDEST}
          className={classNames(
            'min-w-0 rounded-lg border px-3.5 py-2.5',
            side === 'own' && 'border-transparent bg-accent-soft',
            side === 'other' && 'border-line bg-surface',
            side === 'note' && 'border-warning-line bg-warning-soft',
            // A waiting message has a dashed border instead of a pale text: it must be as easy to read as a sent one.
            pale && 'border-dashed border-line-strong!',
          )}
        >
          {children}
        </div>
        {beside}
      </div>
    </div>
  )
}
