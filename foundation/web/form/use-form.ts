import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { SyntheticEvent } from 'react'
import { loadErrorTexts } from '#foundation/web/i18n/error-text.ts'
import type { DisplayedError } from '#foundation/web/i18n/error-text.ts'
import { FormFields } from './form-fields.ts'
import { tellFilledValues } from './filled-values.ts'
import { keepTyped, type Kept } from './kept-forms.ts'
import { isTooLong } from './too-long.ts'

/** The errors to show: an answer of `call`, or an object that a page makes itself. */
export type FormError = { errors: readonly DisplayedError[]; requestId?: string | undefined }

type FormAction = (fields: FormFields, form: HTMLFormElement) => Promise<FormError | undefined | void>

type Options = Kept & { resetWhenDone?: boolean }

export type FormHandle = {
  /** The form's `ref`. */
  attach: (element: HTMLFormElement | null) => void
  pending: boolean
  /** The errors at fields. */
  errors: readonly DisplayedError[]
  /** The errors that belong to no field of the form. */
  general: readonly DisplayedError[]
  /** The number of the request that failed by a fault of ours. */
  requestId: string | undefined
  onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void
  onInput: (event: SyntheticEvent<HTMLFormElement>) => void
}

/**
 * The hook of all forms. `action` sends the form. The errors that it returns are shown at the fields that they name, or above the form; the
 * first wrong field gets the focus, and the typed text stays, also if the session ends meanwhile. While `action` runs, further submits are ignored, so that a double click
 * sends once. React's form actions are not used: they empty the form, so that an error would cost the input; and they wait for each other,
 * so that a dialog that asks for a password during the action of another form could never show that the password was wrong.
 */
export function useForm(action: FormAction, { resetWhenDone = false, ...kept }: Options = {}): FormHandle {
  const ref = useRef<HTMLFormElement>(null)
  const stop = useRef<() => void>(undefined)
  const latest = useRef(kept)
  const attach = useCallback((element: HTMLFormElement | null) => {
    ref.current = element
    stop.current?.()
    stop.current = element ? follow(element, () => latest.current) : undefined
  }, [])
  useLayoutEffect(() => {
    latest.current = kept
  })
  const running = useRef(false)
  const [edited, setEdited] = useState<ReadonlySet<string>>(NONE)
  const [refused, setRefused] = useState(NOTHING)
  const [pending, setPending] = useState(false)
  const send = async (form: HTMLFormElement): Promise<void> => {
    try {
      const missing = missingIn(form)
      const answer = missing ? { errors: missing } : await action(new FormFields(form), form)
      const errors = answer?.errors ?? []
      if (errors.length > 0) await loadErrorTexts()
      else if (resetWhenDone) form.reset()
      setRefused({ ...sorted(errors, form), requestId: requestIdOf(answer) })
    } finally {
      running.current = false
      setPending(false)
    }
  }

  useLayoutEffect(() => focusFirstWrong(ref.current, refused), [refused])

  return {
    attach,
    pending,
    errors: refused.errors.filter(({ param }) => !edited.has(param ?? '')),
    general: refused.general,
    requestId: refused.requestId,
    onInput: (event) => {
      if (event.target instanceof HTMLElement) setEdited(new Set([...edited, nameOf(event.target)]))
    },
    onSubmit: (event) => {
      event.preventDefault()
      // Portals and nested forms bubble through React: only this form's own submit counts.
      if (event.target !== event.currentTarget || running.current) return
      running.current = true
      setEdited(NONE)
      setPending(true)
      void send(event.currentTarget)
    },
  }
}

function follow(form: HTMLFormElement, kept: () => Kept): () => void {
  const all = [tellFilledValues(form), keepTyped(form, kept)]
  return () => all.forEach((end) => end())
}

type Shown = Pick<FormHandle, 'errors' | 'general' | 'requestId'>

const NOTHING: Shown = { errors: [], general: [], requestId: undefined }
const NONE: ReadonlySet<string> = new Set()

/**
 * Divides errors into those at fields and general ones. An error of a part, `amount.currency`, stands at its field. An error of a field
 * that the form lacks is general, or nobody would see it.
 */
function sorted(given: readonly DisplayedError[], form: HTMLFormElement): Omit<Shown, 'requestId'> {
  const isField = (param: string | undefined) =>
    param !== undefined && form.elements.namedItem(param) !== null
  const errors = given.map((error) => {
    const whole = error.param?.split('.')[0]
    return whole !== undefined && !isField(error.param) && isField(whole) ? { ...error, param: whole } : error
  })
  const [general, atFields] = [
    errors.filter(({ param }) => !isField(param)),
    errors.filter(({ param }) => isField(param)),
  ]
  return { errors: atFields, general }
}

const requestIdOf = (answer: FormError | undefined | void): string | undefined =>
  answer?.errors.some(({ code }) => code === 'server_error') ? answer.requestId : undefined

const nameOf = (element: HTMLElement): string => element.getAttribute('name') ?? ''

/**
 * Returns the errors that the browser can find before the form is sent: an empty required field, an e-mail address without an @, a text
 * that is too long; undefined if there are none.
 */
function missingIn(form: HTMLFormElement): DisplayedError[] | undefined {
  const wrong = [...form.elements].filter(
    (element): element is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement =>
      (element instanceof HTMLInputElement ||
        element instanceof HTMLSelectElement ||
        element instanceof HTMLTextAreaElement) &&
      (!element.validity.valid || isTooLong(element)),
  )
  const told = wrong.flatMap((control): DisplayedError[] => {
    const { name, validity } = control
    if (validity.valueMissing) return [{ code: 'required', param: name }]
    if (validity.typeMismatch) return [{ code: 'invalid', param: name }]
    return isTooLong(control) ? [{ code: 'max_length', param: name }] : []
  })
  return told.length > 0 ? told : undefined
}

/** Focuses the first wrong field in the order of the page, or the notice above the form if no field is wrong. */
function focusFirstWrong(form: HTMLFormElement | null, { errors, general }: Shown): void {
  if (!form || errors.length + general.length === 0) return
  const names = new Set(errors.map(({ param }) => param))
  const field = [...form.elements].find((element) => names.has(element.getAttribute('name') ?? '\0'))
  const target = field ?? form.querySelector('[role=alert]')
  if (target instanceof HTMLElement) target.focus()
}
