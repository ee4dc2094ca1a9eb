/** What stands in a form when it is sent. */
export class FormFields {
  readonly #data: FormData
  constructor(form: HTMLFormElement) {
    this.#data = new FormData(form)
  }

  /** The text as typed; the server trims. A field that is not there is empty. */
  text(name: string): string {
    const value = this.#data.get(name)
    return typeof value === 'string' ? value : ''
  }

  checked(name: string): boolean {
    return this.#data.has(name)
  }

  /** The fields whose text differs from the given values: what a PATCH sends (row P-01). */
  changed<T extends Record<string, unknown>>(before: T): Partial<Record<keyof T & string, string>> {
    const names = [...this.#data.keys()].filter((name) => name in before)
    const differing = names.filter((name) => this.text(name) !== textOf(before[name]))
    return Object.fromEntries(differing.map((name) => [name, this.text(name)])) as Partial<
      Record<keyof T & string, string>
    >
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
