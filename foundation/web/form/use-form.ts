import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { SyntheticEvent } from 'react'
import { loadErrorTexts } from '#foundation/web/i18n/error-text.ts'
import type { DisplayedError } from '#foundation/web/i18n/error-text.ts'
import { FormFields } from './form-fields.ts'
import { isTooLong } from './too-long.ts'

/** Errors to show: any answer of `call` fits, and so does an object a page makes itself. */
export type FormError = { errors: readonly DisplayedError[] }

export type FormAction = (fields: FormFields, form: HTMLFormElement) => Promise<FormError | undefined | void>

export type FormHandle = {
  /** The form's `ref`. */
  attach: (element: HTMLFormElement | null) => void
  pending: boolean
  /** The errors at fields. */
  errors: readonly DisplayedError[]
  /** The errors that belong to no field of the form. */
  general: readonly DisplayedError[]
  onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void
  onInput: (event: SyntheticEvent<HTMLFormElement>) => void
}

/**
 * The one way of forms. `action` sends; an answer with errors that it returns is shown, at the fields they name or
 * above the form, and the first wrong field gets the focus. The typed text stays. While it runs, further submits
 * are ignored: a double click sends once.
 * Not by React's form actions: they empty the form, and an error would cost the input; and actions wait for each other,
 * so that a dialog which asks for a password in the middle of another form's action could never show that it was wrong.
 */
export function useForm(action: FormAction, { resetWhenDone = false } = {}): FormHandle {
  const ref = useRef<HTMLFormElement>(null)
  const attach = useCallback((element: HTMLFormElement | null) => {
    ref.current = element
  }, [])
  const running = useRef(false)
  const [edited, setEdited] = useState<ReadonlySet<string>>(NONE)
  const [refused, setRefused] = useState<Shown>(NOTHING)
  const [pending, setPending] = useState(false)
  const send = async (form: HTMLFormElement): Promise<void> => {
    try {
      const errors = missingIn(form) ?? (await action(new FormFields(form), form))?.errors ?? []
      if (errors.length > 0) await loadErrorTexts()
      else if (resetWhenDone) form.reset()
      setRefused(sorted(errors, form))
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

type Shown = { errors: readonly DisplayedError[]; general: readonly DisplayedError[] }

const NOTHING: Shown = { errors: [], general: [] }
const NONE: ReadonlySet<string> = new Set()

/** A field the form does not have cannot show its error: it goes on top, or nobody would see it. */
function sorted(errors: readonly DisplayedError[], form: HTMLFormElement): Shown {
  const atField = ({ param }: DisplayedError) =>
    param !== undefined && form.elements.namedItem(param) !== null
  return { errors: errors.filter(atField), general: errors.filter((error) => !atField(error)) }
}

const nameOf = (element: HTMLElement): string => element.getAttribute('name') ?? ''

/** Faults that the browser can see keep a form from being sent: an empty required field, an e-mail address without an @, a text that is too long. */
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

/** The first wrong field in the order of the page; where no field is to blame, the notice above the form. */
function focusFirstWrong(form: HTMLFormElement | null, { errors, general }: Shown): void {
  if (!form || errors.length + general.length === 0) return
  const names = new Set(errors.map(({ param }) => param))
  const field = [...form.elements].find((element) => names.has(element.getAttribute('name') ?? '\0'))
  const target = field ?? form.querySelector('[role=alert]')
  if (target instanceof HTMLElement) target.focus()
}
