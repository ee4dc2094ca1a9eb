export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/**
 * Tells a form of values that others have put into its fields without the event `input`, as fillers of passwords, extensions and
 * translators do (rule 56): at the event `change`, when the focus leaves a field, at the Enter key, and before the form is sent. The fields
 * then get the event, so that everything that listens to it hears of the value. Returns the function that ends this.
 */
export function tellFilledValues(form: HTMLFormElement): () => void {
  const heard = new WeakMap<Control, string>()
  const note = (event: Event) => {
    if (isControl(event.target)) heard.set(event.target, stateOf(event.target))
  }
  const tell = () => {
    for (const control of form.elements) {
      if (!isControl(control) || (heard.get(control) ?? initialOf(control)) === stateOf(control)) continue
      heard.set(control, stateOf(control))
      control.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }
  const tellAtEnter = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.isComposing) tell()
  }
  const ended = new AbortController()
  const options = { capture: true, signal: ended.signal }
  form.addEventListener('input', note, options)
  for (const event of ['change', 'focusout', 'submit']) form.addEventListener(event, tell, options)
  form.addEventListener('keydown', tellAtEnter, options)
  return () => ended.abort()
}

/** Fields that a person sees. No program puts in files. */
export const isControl = (target: unknown): target is Control =>
  target instanceof HTMLSelectElement ||
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !['hidden', 'file', 'submit', 'button'].includes(target.type))

export const isTicked = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type)

const stateOf = (control: Control): string => (isTicked(control) ? String(control.checked) : control.value)

/** The value of a field before anybody touched it, as far as the page tells. */
function initialOf(control: Control): string {
  if (control instanceof HTMLSelectElement) {
    const options = [...control.options]
    return (options.find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? ''
  }
  return isTicked(control) ? String(control.defaultChecked) : control.defaultValue
}
