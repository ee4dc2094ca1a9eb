/** The content of a form when it is sent. */
export class FormFields {
  readonly #data: FormData
  constructor(form: HTMLFormElement) {
    this.#data = new FormData(form)
  }

  /** Returns the text as typed, because the server trims it; '' if the form has no such field. */
  text(name: string): string {
    const value = this.#data.get(name)
    return typeof value === 'string' ? value : ''
  }

  checked(name: string): boolean {
    return this.#data.has(name)
  }
}
