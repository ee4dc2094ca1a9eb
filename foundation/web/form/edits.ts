/** A field whose text somebody else saved while it was being changed here. */
export type Conflict = { name: string; label: string; mine: string; theirs: string }

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/**
 * The changes that a form makes to a thing (rule 45). `base` is each field's text as this form showed it: a field counts as changed
 * where its text differs from that, and only such fields are sent. What others save meanwhile goes into the fields that
 * were not touched; where it meets a changed one, the person decides.
 */
export class Edits<Thing extends object> {
  readonly #form: HTMLFormElement
  readonly #base: Map<string, string>
  readonly #theirs = new Map<string, string>()
  #known: Thing

  constructor(form: HTMLFormElement, saved: Thing) {
    this.#form = form
    this.#known = saved
    this.#base = new Map(this.#controls().map((control) => [control.name, control.value]))
  }

  /** The thing that all fields but those in conflict were compared with: its version is the one to send. */
  get known(): Thing {
    return this.#known
  }

  /** The changed fields, by name. */
  changes(): Record<string, string> {
    const changed = this.#controls().filter(({ name, value }) => value !== this.#base.get(name))
    return Object.fromEntries(changed.map(({ name, value }) => [name, value]))
  }

  conflicts(): Conflict[] {
    return this.#controls()
      .filter(({ name }) => this.#theirs.has(name))
      .map((control) => ({
        name: control.name,
        label: control.labels?.[0]?.textContent ?? control.name,
        mine: shownText(control, control.value),
        theirs: shownText(control, this.#theirs.get(control.name) ?? ''),
      }))
  }

  /** Takes over what the thing is by now. An answer that is older than what is known says nothing. */
  follow(saved: Thing): void {
    if (versionOf(saved) < versionOf(this.#known)) return
    this.#known = saved
    for (const control of this.#controls()) {
      const { name } = control
      const next = textIn(saved, name)
      const untouched = control.value === this.#base.get(name) || control.value === next
      if (untouched) control.value = next
      if (untouched || next === this.#base.get(name)) this.#settle(name, next)
      else this.#theirs.set(name, next)
    }
  }

  /** After a save: the fields show what the server made of them, but for those that were changed again since. */
  saved(sent: Record<string, string>, saved: Thing): void {
    for (const control of this.#controls()) {
      const text = sent[control.name]
      if (text === undefined) continue
      const next = textIn(saved, control.name)
      if (control.value === text) control.value = next
      this.#settle(control.name, next)
    }
    this.follow(saved)
  }

  /** Mine stays, knowing the other one; the next save overwrites it. */
  keep(name: string): void {
    this.#settle(name, this.#theirs.get(name) ?? '')
  }

  take(name: string): void {
    const theirs = this.#theirs.get(name) ?? ''
    for (const control of this.#controls()) if (control.name === name) control.value = theirs
    this.#settle(name, theirs)
  }

  /** Back to what is saved. */
  discard(): void {
    for (const control of this.#controls()) {
      control.value = this.#theirs.get(control.name) ?? this.#base.get(control.name) ?? ''
      this.#settle(control.name, control.value)
    }
  }

  #settle(name: string, text: string): void {
    this.#base.set(name, text)
    this.#theirs.delete(name)
  }

  /** Those that stand for something of the thing. */
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

/** 0 for a thing that carries none. */
export const versionOf = (thing: object): number => ('version' in thing ? Number(thing.version) : 0)

function textIn(thing: object, name: string): string {
  const value = (thing as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}

/** As a person reads it: the name of a country, not its code. */
function shownText(control: Control, value: string): string {
  if (!(control instanceof HTMLSelectElement)) return value
  return [...control.options].find((option) => option.value === value)?.text ?? value
}
