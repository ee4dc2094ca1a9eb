import type { Writing } from '#features/support/messages/contract.ts'
import { lengths } from '#features/support/tickets/rules.ts'
import SendHorizontal from 'lucide-react/icons/send-horizontal'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { flushSync } from 'react-dom'
import { isBlank } from '#foundation/is-blank.ts'
import { drafts } from '#foundation/web/drafts.ts'
import { isLonger, lengthText } from '#foundation/web/i18n/length-text.ts'
import { newId } from '#foundation/web/new-id.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { m } from '#texts/messages.js'
import { FileList, FilePicker, limitText } from '#features/support/files/web/file-list.tsx'
import { useDraftActs, type DraftActs } from './draft-acts.ts'
import { useMarks } from './marks.ts'
import { keep } from './outbox.ts'
import { SecretButton, SecretOffer } from './secret-parts.tsx'
import { flushOutbox } from './sender.ts'
import { pastedFiles, useFileDrop, useFiles } from '#features/support/files/web/use-files.ts'

type Props = {
  /** The id of the field, for links to it. */
  id?: string
  chat_id: string
  kind: 'comment' | 'note'
  /** Called while a user types text that the other side will see. */
  onTyping?: () => void
  /** Controls above the field: canned replies, the choice between reply and note. */
  tools?: ReactNode
  draft: Draft
}

/**
 * The message field. Enter sends, Shift+Enter breaks the line; the text is saved as a draft at each keystroke, so that neither a reload nor
 * a closed tab loses a word. A sent message goes to the outbox, which is responsible for it from then on.
 */
export function Composer({ id, chat_id, kind, onTyping, tools, draft }: Props) {
  const { text, field } = draft
  const [refused, setRefused] = useState<string>()
  const change = (next: string) => {
    // A text far beyond the limit is not taken at all, and the field keeps its content.
    setRefused(next.length > MOST_TYPED ? next : undefined)
    if (next.length > MOST_TYPED) return
    draft.change(next)
    if (next !== '') onTyping?.()
  }

  const going = useFiles(kind === 'note' ? `${chat_id}:note` : chat_id)
  const { files, all, failed } = going
  const hovering = useFileDrop(files.add)
  const tooLong = isLonger(text, lengths.message)
  const ready = (!isBlank(text) || all.length > 0) && !failed && !tooLong
  const asFile = () => {
    files.add([new File([text], 'text.txt', { type: 'text/plain' })])
    draft.change('')
    field.current?.focus()
  }
  const [waits, setWaits] = useState(false)
  // One line leaves the room to the messages until somebody writes. It does not close again, which would move what is being clicked.
  const [opened, setOpened] = useState(false)
  const open = opened || text !== '' || all.length > 0
  const mayHide = open && kind === 'comment'
  const send = () => {
    if (!ready) return
    // A message with a file that is still uploading is sent once the upload is complete.
    setWaits(files.busy())
    if (files.busy()) return
    keep({
      chat_id,
      client_id: newId(),
      kind,
      text,
      attachments: files.take(),
      written_at: new Date().toISOString(),
      ...draft.takeActs(),
    })
    draft.change('')
    flushOutbox()
    field.current?.focus()
  }
  useOnceSettled(waits, files, (all_there) => {
    setWaits(false)
    if (all_there) send()
  })
  const onKeyDown = (event: KeyboardEvent) => {
    // Escape leads back to the shortcuts of the page; the draft stays.
    if (event.key === 'Escape') field.current?.blur()
    if (draft.mark(event.key)) event.preventDefault()
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return
    event.preventDefault()
    send()
  }
  return (
    <div
      data-composer
      onFocus={() => setOpened(true)}
      className={classNames(
        'group relative rounded-lg border bg-surface [anchor-name:--bottom-bar] focus-within:border-accent',
        kind === 'note' ? 'border-warning-line bg-warning-soft' : 'border-line',
        hovering && 'border-accent',
        !open && 'flex items-center gap-2 p-2 low:p-1',
      )}
      data-closed={open ? undefined : true}
    >
      {tools ? (
        <div className="flex flex-wrap items-center gap-1 px-2 pt-2 group-data-closed:hidden">{tools}</div>
      ) : null}
      <textarea
        ref={field}
        id={id}
        dir="auto"
        rows={1}
        value={text}
        aria-label={kind === 'note' ? m.messages_write_note() : m.messages_write()}
        placeholder={kind === 'note' ? m.messages_write_note() : m.messages_write()}
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const pasted = pastedFiles(event.clipboardData)
          if (!pasted) return
          event.preventDefault()
          files.add(pasted)
        }}
        className="block max-h-48 w-full low:max-h-16 resize-none field-sizing-content bg-transparent px-3.5 pt-3 pb-1 text-base focus-visible:outline-hidden group-data-closed:order-1 group-data-closed:px-1 group-data-closed:py-1 placeholder:text-muted sm:text-sm"
      />
      <TooMuch
        text={refused ?? text}
        onFile={refused === undefined && all.length < lengths.attachments ? asFile : undefined}
      />
      <OtherTab draft={draft} />
      {mayHide ? <SecretOffer chat_id={chat_id} text={text} onSent={() => draft.change('')} /> : null}
      <div className="px-2 group-data-closed:contents empty:hidden [&>ul]:max-h-24 low:[&>ul]:max-h-10">
        <FileList {...going} />
      </div>
      {hovering ? <DropHint /> : null}
      <Foot kind={kind} files={files} ready={ready} waits={waits} onSend={send}>
        {mayHide ? <SecretButton chat_id={chat_id} text={text} onSent={() => draft.change('')} /> : null}
      </Foot>
    </div>
  )
}

/** Calls `onSettled` once no file is on its way any more, if a message waits for that, and says whether all of them are there. */
function useOnceSettled(waits: boolean, files: Files, onSettled: (all_there: boolean) => void) {
  const settled = useEffectEvent(onSettled)
  useEffect(() => {
    if (!waits) return undefined
    let left = false
    void files.settled().then((all_there) => {
      if (!left) settled(all_there !== undefined)
    })
    return () => {
      left = true
    }
  }, [waits, files])
}

type Files = ReturnType<typeof useFiles>['files']

const DropHint = () => (
  <p className="pointer-events-none absolute inset-0 grid place-content-center rounded-lg bg-accent-soft px-4 text-center text-sm font-medium text-accent-text">
    {m.files_drop()} {limitText()}
  </p>
)

type FootProps = {
  kind: Props['kind']
  files: Files
  ready: boolean
  waits: boolean
  onSend: () => void
  children: ReactNode
}

/** The line below the field: the file picker, the keyboard hints, and the button that sends. */
function Foot({ kind, files, ready, waits, onSend, children }: FootProps) {
  return (
    <div className="flex items-center justify-between gap-2 p-2 group-data-closed:contents">
      <div className="flex items-center group-data-closed:contents">
        <FilePicker files={files} />
        <span className="contents group-data-closed:hidden">{children}</span>
      </div>
      <div className="flex items-center gap-3 group-data-closed:order-2">
        <span
          role="status"
          className={classNames('text-xs text-muted group-data-closed:hidden', !waits && 'hidden sm:inline')}
        >
          {waits ? m.messages_waits_for_files() : m.messages_keys()}
        </span>
        <Button
          look="primary"
          size="small"
          icon={<SendHorizontal size={15} aria-hidden="true" />}
          onClick={onSend}
          aria-disabled={!ready}
          pending={waits}
        >
          {kind === 'note' ? m.messages_save_note() : m.messages_send()}
        </Button>
      </div>
    </div>
  )
}

/** The maximum number of characters in the field: more of them freeze a phone, and a longer text should be a file. */
const MOST_TYPED = 1_000_000

/** Shows by how much a text is too long, and the alternatives; the text is not cut. */
function TooMuch({ text, onFile }: { text: string; onFile: (() => void) | undefined }) {
  const isTooLong = isLonger(text, lengths.message)
  return (
    <p
      role="status"
      className="flex flex-wrap items-center gap-2 px-3.5 text-xs text-danger-text empty:sr-only"
    >
      {isTooLong ? <span>{lengthText(text, lengths.message)}</span> : null}
      {isTooLong && onFile ? (
        <Button size="small" onClick={onFile}>
          {m.messages_send_as_file()}
        </Button>
      ) : null}
    </p>
  )
}

/** The notice that two tabs wrote in one draft: this tab's text stays, the other tab's text is offered. */
function OtherTab({ draft }: { draft: Draft }) {
  return (
    <p role="status" className="flex flex-wrap items-center gap-2 px-3.5 text-xs text-muted empty:sr-only">
      {draft.other === undefined ? null : (
        <>
          <span>{m.messages_other_tab()}</span>
          <Button size="small" look="quiet" onClick={draft.takeOther}>
            {m.messages_other_tab_take()}
          </Button>
        </>
      )}
    </p>
  )
}

/**
 * True if Enter only finishes a word that is being composed (as in Japanese), and must not send the message. Safari ends the composition
 * before the key event, which only the old key code (229) still reveals.
 */
const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  // oxlint-disable-next-line typescript/no-deprecated -- nothing newer tells it in Safari
  nativeEvent.isComposing || nativeEvent.keyCode === 229

type Draft = DraftActs & {
  text: string
  field: RefObject<HTMLTextAreaElement | null>
  change: (text: string) => void
  /** The draft of another tab, offered if this tab wrote one as well. */
  other: string | undefined
  takeOther: () => void
  /** Puts text in at the cursor, or at the end if there is none, and moves the cursor behind it. */
  insert: (words: string) => void
  onMark: Writing['onMark']
  /** Called when a key is pressed. Returns true if it is a mark where one counts, and a listener handles it. */
  mark: (key: string) => boolean
}

/** The draft, saved under a name at each keystroke. */
export function useDraft(name: string): Draft {
  const [text, setText] = useState(() => drafts.read(name))
  const [other, setOther] = useState<string>()
  const touched = useRef(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const change = (next: string) => {
    touched.current = next !== ''
    setText(next)
    setOther(undefined)
    drafts.write(name, next)
  }
  const hear = useEffectEvent((elsewhere: string) => {
    const isOurs = touched.current && elsewhere !== text
    if (!isOurs) setText(elsewhere)
    setOther(isOurs && elsewhere !== '' ? elsewhere : undefined)
  })
  useEffect(() => drafts.onChange(name, (elsewhere) => hear(elsewhere)), [name])
  const takeOther = () => {
    if (other !== undefined) change(other)
  }
  const insert = (words: string) => {
    // The words may have been long on their way, as those of a model are: more was typed since, or the field has gone.
    const present = field.current?.value ?? drafts.read(name)
    const [start, end] = [
      field.current?.selectionStart ?? present.length,
      field.current?.selectionEnd ?? present.length,
    ]
    flushSync(() => change(present.slice(0, start) + words + present.slice(end)))
    field.current?.focus()
    field.current?.setSelectionRange(start + words.length, start + words.length)
  }
  const marks = useMarks(text, field)
  return { ...useDraftActs(name), text, field, change, other, takeOther, insert, ...marks }
}
