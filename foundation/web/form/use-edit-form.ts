import { isRecord, propertyOf } from '#foundation/web/property.ts'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { EditForm } from './edit-form.tsx'
import { Edits, versionOf, type Conflict } from './edits.ts'
import type { EditFormHandle } from './edit-handle.ts'
import { useForm, type FormError } from './use-form.ts'

type SaveAnswer = FormError & { status: number; body: unknown }

type Options<Thing extends object> = {
  /** The latest known state of the thing. Its `version` goes with each save. */
  saved: Thing
  /** Sends the changed fields and nothing else. The body of a 200 is the saved thing. */
  save: (changes: Changes<Thing>, version: number) => Promise<SaveAnswer | undefined>
  /** Called after a save, or where there was nothing to save. */
  onDone?: (saved: Thing | undefined) => void
}

/** The texts of the changed fields. */
type Changes<Thing extends object> = { [Field in keyof Thing & string]?: string }

/**
 * The hook of all forms that edit a thing (rule 45). `save` gets only the fields whose text the person has changed. Untouched fields show
 * what another tab or person saves. After a 409 `changed` the form saves again with the new version; if both have changed the same field,
 * it shows both texts and waits for a choice.
 */
export function useEditForm<Thing extends object>({ saved, save, onDone }: Options<Thing>): EditFormHandle {
  const edits = useRef<Edits<Thing>>(undefined)
  const latest = useRef(saved)
  const [state, setState] = useState<State>(UNCHANGED)
  const refresh = useCallback(() => {
    const { current } = edits
    if (current) setState({ changes: Object.keys(current.changes()).length, conflicts: current.conflicts() })
  }, [])
  const form = useForm(() => sendAll(edits, save, onDone).finally(refresh), {
    about: 'id' in saved ? String(saved.id) : undefined,
    isUnsaved: (name) => !(name in saved) || name in (edits.current?.changes() ?? {}),
  })
  const { attach, onInput, pending } = form

  const attachEdits = useCallback(
    (element: HTMLFormElement | null) => {
      attach(element)
      edits.current = element ? new Edits(element, latest.current) : undefined
    },
    [attach],
  )
  // While the form saves, it takes over only the answer to its save; what others saved meanwhile is taken over afterwards.
  useLayoutEffect(() => {
    if (latest.current === saved || pending) return
    latest.current = saved
    edits.current?.follow(saved)
    refresh()
  }, [saved, pending, refresh])
  useWarningBeforeLeaving(state.changes > 0)

  const act = (change: (current: Edits<Thing>) => void) => {
    if (edits.current) change(edits.current)
    refresh()
  }
  return {
    ...form,
    ...state,
    Frame: EditForm,
    attach: attachEdits,
    onInput: (event) => {
      onInput(event)
      refresh()
    },
    discard: () => act((current) => current.discard()),
    keep: (name) => act((current) => current.keep(name)),
    take: (name) => act((current) => current.take(name)),
  }
}

type State = { changes: number; conflicts: readonly Conflict[] }
const UNCHANGED: State = { changes: 0, conflicts: [] }

async function sendAll<Thing extends object>(
  edits: { readonly current: Edits<Thing> | undefined },
  save: Options<Thing>['save'],
  onDone: Options<Thing>['onDone'],
): Promise<FormError | undefined> {
  for (let round = 1; ; round += 1) {
    const { current } = edits
    if (!current) return undefined
    if (current.conflicts().length > 0) return { errors: [{ code: 'changed' }] }
    const changes = current.changes()
    if (Object.keys(changes).length === 0) {
      onDone?.(undefined)
      return undefined
    }
    const answer = await save(fieldsIn<Thing>(changes), versionOf(current.known))
    if (!answer) return undefined
    if (answer.status === 200) {
      const { body } = answer
      if (!isThing(body, current.known)) throw new Error('a save must answer what it saved')
      current.saved(changes, body)
      onDone?.(body)
      return undefined
    }
    const present = presentIn(answer)
    if (!isThing(present, current.known) || round === ROUNDS) return answer
    current.follow(present)
  }
}

/** Casts the changes to the type of the thing: `Edits` reads only controls that are named after a field of the thing. */
function fieldsIn<Thing extends object>(changes: object): Changes<Thing>
function fieldsIn(changes: object): object {
  return changes
}

/** True if a body is the thing, which it is if it has one of the thing's fields. */
const isThing = <Thing extends object>(body: unknown, known: Thing): body is Thing =>
  isRecord(body) && Object.keys(known).some((name) => name in body)

/** The most tries of one save. Only a program could change the thing before each of them. */
const ROUNDS = 5

/** Returns the present thing from an answer 409 `changed`; undefined for every other answer. */
function presentIn({ status, errors, body }: SaveAnswer): unknown {
  if (status !== 409 || errors[0]?.code !== 'changed') return undefined
  return propertyOf(body, 'present')
}

/** Lets the browser ask before the tab is closed or left while there are changes, which would be lost. */
function useWarningBeforeLeaving(hasChanges: boolean): void {
  useEffect(() => {
    if (!hasChanges) return undefined
    const warn = (event: Event) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [hasChanges])
}
