import { paths } from '#features/paths.ts'
import { Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { besideChat, composerTools } from '#features/support/messages/slots.ts'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { ticketActs } from '#features/support/tickets/slots.ts'
import { ticketCan } from '#features/support/tickets/rules.ts'
import { useHotkeys } from '#foundation/web/hotkeys.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { usePathValue } from '#foundation/web/navigation.tsx'
import { Slot } from '#foundation/web/slots.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { usePublishTyping } from './hooks.ts'
import { ChatFrame, TicketLoaded } from './chat-frame.tsx'
import { Chat } from './chat.tsx'
import { CloseButton, stateOf } from './close-button.tsx'
import { Composer, useDraft } from './composer.tsx'

const UserChat = lazyPart<{ ticket: Ticket }>(() =>
  import('./user-chat-page.tsx').then((file) => file.UserChat),
)

/** Staff's side of a conversation: replies and notes, with the desk's actions and the customer's card around it (row R-03). */
export function StaffChatPage() {
  const chatId = usePathValue('chatId')
  return (
    <TicketLoaded key={chatId} chatId={chatId}>
      {/* In their own ticket a member of staff is the customer, and colleagues answer. */}
      {(ticket) =>
        ticket.customer ? (
          <StaffChat ticket={ticket} />
        ) : (
          <Suspense fallback={null}>
            <UserChat ticket={ticket} />
          </Suspense>
        )
      }
    </TicketLoaded>
  )
}

function StaffChat({ ticket }: { ticket: Ticket }) {
  const [kind, setKind] = useState<Kind>('comment')
  const mayReply = ticketCan.reply(stateOf(ticket), { role: 'staff', user_id: '' })
  const chosen = mayReply ? kind : 'note'
  return (
    <ChatFrame
      ticket={ticket}
      back={paths.desk()}
      actions={<Slot of={ticketActs} props={{ ticket, close: <CloseButton ticket={ticket} staff /> }} />}
      beside={
        <Slot
          of={besideChat}
          props={{ ticket }}
          waiting={<div className="hidden w-72 shrink-0 @4xl:block" />}
        />
      }
    >
      <Chat ticket={ticket} typist={ticket.customer?.name ?? ''}>
        <StaffComposer key={chosen} ticket={ticket} kind={chosen} mayReply={mayReply} onChoose={setKind} />
      </Chat>
    </ChatFrame>
  )
}

type Kind = 'comment' | 'note'
type ChoiceProps = { kind: Kind; mayReply: boolean; onChoose: (kind: Kind) => void }

/** The staff's message field; `r` begins a reply, `i` an internal note, and Esc goes back to the shortcuts of the page. */
function StaffComposer({ ticket, kind, mayReply, onChoose }: ChoiceProps & { ticket: Ticket }) {
  const publishTyping = usePublishTyping(ticket.id)
  const draft = useDraft(kind === 'note' ? `${ticket.id}:note` : ticket.id)
  const { insert, onMark } = draft
  const writing = { insert, onMark, ...(kind === 'note' ? {} : { plan: draft }) }
  const begin = (wanted: Kind) => (event: KeyboardEvent) => {
    // Without this the letter of the shortcut would be typed into the field.
    event.preventDefault()
    flushSync(() => onChoose(wanted))
    document.querySelector<HTMLElement>(`#${WRITING}`)?.focus()
  }
  useHotkeys({ ...(mayReply ? { r: begin('comment') } : {}), i: begin('note') })
  return (
    <Composer
      id={WRITING}
      chat_id={ticket.id}
      kind={kind}
      draft={draft}
      // The customer need not know that staff talk among themselves.
      {...(kind === 'comment' ? { onTyping: publishTyping } : {})}
      tools={
        <>
          <KindChoice kind={kind} mayReply={mayReply} onChoose={onChoose} />
          <Slot of={composerTools} props={{ ticket, writing }} />
        </>
      }
    />
  )
}

const WRITING = 'writing'

/** The choice between reply and note, always in sight: a note that went to the customer could not be taken back. */
function KindChoice({ kind, mayReply, onChoose }: ChoiceProps) {
  return (
    <div role="group" aria-label={m.messages_kind()} className="flex gap-1">
      {mayReply ? (
        <Button
          size="small"
          look={kind === 'comment' ? 'secondary' : 'quiet'}
          aria-pressed={kind === 'comment'}
          onClick={() => onChoose('comment')}
        >
          {m.messages_reply()}
        </Button>
      ) : null}
      <Button
        size="small"
        look={kind === 'note' ? 'secondary' : 'quiet'}
        aria-pressed={kind === 'note'}
        onClick={() => onChoose('note')}
      >
        {m.messages_note()}
      </Button>
    </div>
  )
}
