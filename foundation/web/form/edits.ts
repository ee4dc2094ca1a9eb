import { propertyOf } from '#foundation/web/property.ts'

/** A field whose text somebody else saved while it was being changed here. */
export type Conflict = { name: string; label: string; mine: string; theirs: string }

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/**
 * The changes that a form makes to a thing (rule 45). `#base` holds the saved text of each field as the form showed it: a field is changed
 * if its text differs from this, and only changed fields are sent. Values that others save meanwhile go into the unchanged fields; if
 * others save a changed field, it is in conflict, and the person decides.
 */
export class Edits<Thing extends object> {
  readonly #form: HTMLFormElement
  readonly #base: Map<string, string>
  readonly #theirs = new Map<string, string>()
  #known: Thing

  constructor(form: HTMLFormElement, saved: Thing) {
    this.#form = form
    this.#known = saved
    this.#base = new Map(this.#controls().map((control) => [control.name, textOf(control)]))
  }

  /** The latest known state of the thing, with which all fields were compared: its version is the one to send. */
  get known(): Thing {
    return this.#known
  }

  /** Returns the texts of the changed fields, by name. */
  changes(): Record<string, string> {
    const changed = this.#controls().filter((control) => textOf(control) !== this.#base.get(control.name))
    return Object.fromEntries(changed.map((control) => [control.name, textOf(control)]))
  }

  conflicts(): Conflict[] {
    return this.#controls()
      .filter(({ name }) => this.#theirs.has(name))
      .map((control) => ({
        name: control.name,
        label: control.labels?.[0]?.textContent ?? control.name,
        mine: shownText(control, textOf(control)),
        theirs: shownText(control, this.#theirs.get(control.name) ?? ''),
      }))
  }

  /** Takes over a newer version of the thing. A version that is older than the known one is ignored. */
  follow(saved: Thing): void {
    if (versionOf(saved) < versionOf(this.#known)) return
    this.#known = saved
    for (const control of this.#controls()) {
      const { name } = control
      const next = textIn(saved, name)
      const text = textOf(control)
      const untouched = text === this.#base.get(name) || text === next
      if (untouched) put(control, next)
      if (untouched || next === this.#base.get(name)) this.#settle(name, next)
      else this.#theirs.set(name, next)
    }
  }

  /** Shows the saved values after a save, as the server may have changed them, except in fields that were changed again since. */
  saved(sent: Readonly<Record<string, string>>, saved: Thing): void {
    for (const control of this.#controls()) {
      const text = sent[control.name]
      if (text === undefined) continue
      const next = textIn(saved, control.name)
      if (textOf(control) === text) put(control, next)
      this.#settle(control.name, next)
    }
    this.follow(saved)
  }

  /** Puts texts into fields as if a person had typed them. */
  type(texts: Record<string, string>): void {
    for (const control of this.#controls()) put(control, texts[control.name] ?? textOf(control))
  }

  /** Keeps the text of this form for a field in conflict; the next save overwrites the other person's text. */
  keep(name: string): void {
    this.#settle(name, this.#theirs.get(name) ?? '')
  }

  take(name: string): void {
    const theirs = this.#theirs.get(name) ?? ''
    for (const control of this.#controls()) if (control.name === name) put(control, theirs)
    this.#settle(name, theirs)
  }

  /** Puts the saved texts back. */
  discard(): void {
    for (const control of this.#controls()) {
      put(control, this.#theirs.get(control.name) ?? this.#base.get(control.name) ?? '')
      this.#settle(control.name, textOf(control))
    }
  }

  #settle(name: string, text: string): void {
    this.#base.set(name, text)
    this.#theirs.delete(name)
  }

  /** The controls named after a field of the thing. */
  #controls(): Control[] {
    return [...this.#form.elements].filter(
      (element): element is Control =>
        (element instanceof HTMLInputElement ||
          element instanceof HTMLSelectElement ||
          element instanceof HTMLTextAreaElement) &&
        element.name in this.#known,
    )
  }
}

/** The version of a thing; 0 for a thing without a version. */
export const versionOf = (thing: object): number => ('version' in thing ? Number(thing.version) : 0)

function textIn(thing: object, name: string): string {
  const value = propertyOf(thing, name)
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? value : ''
}

const isBox = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === 'checkbox'

/** The text of a control. A ticked box reads 'true', as `textIn` writes a boolean value of the thing. */
const textOf = (control: Control): string => (isBox(control) ? String(control.checked) : control.value)

function put(control: Control, text: string): void {
  if (isBox(control)) control.checked = text === 'true'
  else control.value = text
}

/** Returns the value as a person reads it: the name of a country, not its code. */
function shownText(control: Control, value: string): string {
  if (!(control instanceof HTMLSelectElement)) return value
  return [...control.options].find((option) => option.value === value)?.text ?? value
}
