import { useSyncExternalStore } from 'react'
import { listenersOf } from '#foundation/web/listeners.ts'
import { actedFor } from '#foundation/web/acting.ts'
import { drafts } from '#foundation/web/drafts.ts'
import { isRecord } from '#foundation/web/property.ts'

/** A new ticket that is half written: the fields of its form as text, by name. */
type TicketDraft = Readonly<Record<string, string>>

/** Each account for which this browser acts has a draft with a name of its own, so that no ticket is opened for the wrong account. */
const account = actedFor()
const NAME = account ? `new-ticket for ${account.id}` : 'new-ticket'
const listeners = listenersOf()

export const ticketDraft = {
  read: (): TicketDraft => parse(drafts.read(NAME)),
  /**
   * Saves the values of the form; an empty form deletes the draft. `said` is the message as it was first sent, or '' if it is to be
   * forgotten.
   */
  keep(form: HTMLFormElement, said?: string): void {
    const first = form.elements.namedItem('said')
    if (said !== undefined && first instanceof HTMLInputElement) first.value = said
    const texts = textsIn([...new FormData(form)])
    const isWritten = Object.entries(texts).some(([name, text]) => WRITTEN.has(name) && text !== '')
    drafts.write(NAME, isWritten ? JSON.stringify(texts) : '')
    listeners.notify()
  },
  forget(): void {
    drafts.write(NAME, '')
    listeners.notify()
  },
}

/** The fields that a person has to fill in; the others have a default. */
const WRITTEN = new Set(['subject', 'message', 'topic'])

/** Returns the subject of the draft, or the beginning of its message; undefined if there is no draft. Follows changes in every tab. */
export function useDraftTitle(): string | undefined {
  const kept = useSyncExternalStore(subscribe, () => drafts.read(NAME))
  const { subject = '', message = '' } = parse(kept)
  return kept === '' ? undefined : subject.trim() || message.trim().slice(0, 80)
}

function subscribe(listener: () => void): () => void {
  const stopHere = listeners.add(listener)
  const stop = drafts.onChange(NAME, listener)
  return () => {
    stopHere()
    stop()
  }
}

function parse(kept: string): TicketDraft {
  try {
    const fields: unknown = JSON.parse(kept || '{}')
    return isRecord(fields) ? textsIn(Object.entries(fields)) : {}
  } catch {
    return {}
  }
}

const textsIn = (fields: readonly [string, unknown][]): TicketDraft =>
  Object.fromEntries(
    fields.filter(
      (field): field is [string, string] => typeof field[1] === 'string' && field[0] !== SECRET_FIELD,
    ),
  )

/** A secret of a new ticket is kept in no storage of the browser. */
const SECRET_FIELD = 'secret'
