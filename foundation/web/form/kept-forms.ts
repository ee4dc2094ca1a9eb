import { actedFor } from '#foundation/web/acting.ts'
import { onSignedInChange, storedSession } from '#foundation/web/api/stored-session.ts'
import { isControl, isTicked, type Control } from './filled-values.ts'
import { keptTexts, type Texts } from './kept-texts.ts'

export type Kept = {
  /** The id of the thing that the form changes, where a page has a form for each of several things. */
  about?: string | undefined
  /** False for a field that shows what is saved. */
  isUnsaved?: (name: string) => boolean
}

/**
 * Keeps what a person has typed into a form if the session ends meanwhile, and puts it there again once the same person is back. Passwords,
 * one-time codes and cards are not kept. The form is found again by its page, its name, the title and text of its dialog, and what it is about.
 * Returns the function that ends this.
 */
export function keepTyped(form: HTMLFormElement, kept: () => Kept): () => void {
  const owner = storedSession.user()?.id
  if (owner === undefined) return () => {}
  const account = actedFor()?.id ?? ''
  const nameNow = () => [account, nameOf(form), kept().about ?? ''].join('\n')
  const typed = new Set<string>()
  const restored = new Restored(form)
  const ended = new AbortController()
  const { signal } = ended
  const note = ({ target }: Event) => {
    if (!isControl(target)) return
    typed.add(fieldOf(target))
    restored.leave(fieldOf(target))
  }
  form.addEventListener('input', note, { capture: true, signal })
  form.addEventListener('reset', () => typed.clear(), { signal })
  const stopHearing = onSignedInChange((signedIn) => {
    if (signedIn) return
    const { isUnsaved = () => true } = kept()
    const texts = textsIn(form, (control) => typed.has(fieldOf(control)) && isUnsaved(control.name))
    if (Object.keys(texts).length > 0) keptTexts.keep(owner, nameNow(), texts)
  })
  // By then the form is complete, and whatever compares it with what is saved has seen it as it was.
  queueMicrotask(() => {
    const texts = signal.aborted ? undefined : keptTexts.take(owner, nameNow())
    if (texts) restored.begin(texts)
  })
  return () => {
    ended.abort()
    stopHearing()
    restored.end()
  }
}

/** Puts texts into the fields of a form, also into those that come later, until the person types there. */
class Restored {
  readonly #form: HTMLFormElement
  readonly #texts = new Map<string, string>()
  readonly #placed = new WeakSet<Control>()
  readonly #later = new MutationObserver(() => this.#place())
  #isPlacing = false

  constructor(form: HTMLFormElement) {
    this.#form = form
  }

  begin(texts: Texts): void {
    for (const [field, text] of Object.entries(texts)) this.#texts.set(field, text)
    this.#later.observe(this.#form, { childList: true, subtree: true })
    this.#place()
  }

  leave(field: string): void {
    if (!this.#isPlacing) this.#texts.delete(field)
  }

  end(): void {
    this.#later.disconnect()
  }

  #place(): void {
    this.#isPlacing = true
    for (const control of [...this.#form.elements].filter(isControl)) {
      const text = this.#texts.get(fieldOf(control))
      if (text === undefined || this.#placed.has(control)) continue
      this.#placed.add(control)
      put(control, text)
    }
    this.#isPlacing = false
  }
}

/** Acts as a person does, so that everything that listens to the field hears of it. */
function put(control: Control, text: string): void {
  if (isTicked(control)) {
    const wanted = control.type === 'radio' ? control.value === text : text === 'true'
    if (control.checked !== wanted && (wanted || control.type === 'checkbox')) control.click()
    return
  }
  // React hears only of a value that is set past the property that it lays over each element.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, text)
  for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }))
}

function textsIn(form: HTMLFormElement, isKept: (control: Control) => boolean): Texts {
  const shown = [...form.elements]
    .filter(isControl)
    .filter((control) => !isSecret(control) && isKept(control))
  const chosen = shown.filter(
    (control) => !isTicked(control) || control.type === 'checkbox' || control.checked,
  )
  return Object.fromEntries(
    chosen.map((control) => [
      fieldOf(control),
      control.type === 'checkbox' && isTicked(control) ? String(control.checked) : control.value,
    ]),
  )
}

/** Boxes of one name are told apart by their values. */
const fieldOf = (control: Control): string =>
  control.type === 'checkbox' ? `${control.name} ${control.value}` : control.name

/** The kind of the field tells it, and not a name as `code`: a promo code or a voucher's is a text as any other. */
const isSecret = ({ name, type, autocomplete }: Control): boolean =>
  type === 'password' || name === 'secret' || /password|one-time-code|cc-/.test(autocomplete)

function nameOf(form: HTMLFormElement): string {
  const dialog = form.closest('dialog')
  const said = ['aria-labelledby', 'aria-describedby'].map(
    (name) => document.querySelector(`#${CSS.escape(dialog?.getAttribute(name) ?? 'none')}`)?.textContent,
  )
  return [window.location.pathname, form.getAttribute('aria-label'), ...said].join('\n')
}
