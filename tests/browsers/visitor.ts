import type { Remote } from './remote.ts'
import { untilTrue } from './until-true.ts'

type Found = Record<string, string>
type Kind = 'button' | 'field' | 'file' | 'option' | 'text'

/** Somebody at a browser, who finds buttons and fields by the words on them, waits for them, and uses them as a person does. */
export class Visitor {
  readonly #remote: Remote
  readonly #origin: string

  constructor(remote: Remote, origin: string) {
    this.#remote = remote
    this.#origin = origin
  }

  async opens(path: string): Promise<void> {
    await this.#remote.send({
      name: 'Navigate',
      method: 'POST',
      path: '/url',
      parameters: { url: `${this.#origin}${path}` },
    })
  }

  /** Presses a button, a link or an item of a menu. */
  async presses(words: string): Promise<void> {
    await untilTrue(`press ${words}`, async () => {
      const id = await this.#find('button', words)
      await this.#remote.send({
        name: 'ElementClick',
        method: 'POST',
        path: `/element/${id}/click`,
        parameters: { id },
      })
      return true
    })
  }

  async fills(label: string, text: string): Promise<void> {
    await this.#types('field', label, text)
  }

  async attaches(file: string): Promise<void> {
    await this.#types('file', '', file)
  }

  async chooses(label: string, option: string): Promise<void> {
    await this.#types('field', label, option)
  }

  /** Waits until the words are on the page. */
  async sees(words: string): Promise<void> {
    await untilTrue(`see ${words}`, async () => (await this.#find('text', words)) !== '')
  }

  async #types(kind: Kind, label: string, text: string): Promise<void> {
    await untilTrue(`type into ${label}`, async () => {
      const id = await this.#find(kind, label)
      if (kind === 'field') await this.#run('arguments[0].select?.()', [{ [ELEMENT]: id }])
      await this.#remote.send({
        name: 'ElementSendKeys',
        method: 'POST',
        path: `/element/${id}/value`,
        parameters: { id, text },
      })
      if (kind !== 'field') return true
      // A busy WebKit drops keys now and then: then it is typed again.
      return this.#run(
        'return !/^(INPUT|TEXTAREA)$/.test(arguments[0].tagName) || arguments[0].value === arguments[1]',
        [{ [ELEMENT]: id }, text],
      )
    })
  }

  /** Returns the id of an element, once it is there. */
  async #find(kind: Kind, words: string): Promise<string> {
    const found = (await this.#run(`return (${findElement.toString()})(...arguments)`, [
      kind,
      words,
    ])) as Found | null
    const id = found?.[ELEMENT]
    if (id === undefined) throw new Error(`no ${kind} ${words} on: ${await this.says()}`)
    return id
  }

  async says(): Promise<string> {
    return (await this.#run(
      'return location.pathname + " " + document.body.innerText.slice(0, 2000)',
      [],
    )) as string
  }

  #run(script: string, args: unknown[]): Promise<unknown> {
    return this.#remote.send({
      name: 'ExecuteScript',
      method: 'POST',
      path: '/execute/sync',
      parameters: { script, args },
    })
  }
}

/** The name by which WebDriver calls elements. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

/** Runs in the page. */
function findElement(kind: Kind, words: string): Element | undefined {
  const top = [...document.querySelectorAll('dialog:modal, :popover-open')].at(-1) ?? document
  const isShown = (element: Element) => element.getClientRects().length > 0
  const tidy = (text: string | null | undefined) => (text ?? '').replaceAll(/\s+/g, ' ').trim()
  const all = (selector: string) => [...top.querySelectorAll<HTMLElement>(selector)]
  if (kind === 'file') return all('input[type=file]')[0]
  if (kind === 'text')
    return all('h1, h2, p, span, li, a, button, strong, bdi, td, th, dd').find(
      (element) => isShown(element) && tidy(element.innerText) === words,
    )
  if (kind === 'button')
    return all('button:enabled, a[href], [role^=menuitem], label').find(
      (element) =>
        isShown(element) &&
        [tidy(element.getAttribute('aria-label')), tidy(element.innerText)].some(
          (name) => name === words || (words.endsWith('…') && name.startsWith(words.slice(0, -1))),
        ),
    )
  return all('input, textarea, select').find(
    (element) =>
      isShown(element) &&
      [
        element.getAttribute('aria-label'),
        ...[...((element as HTMLInputElement).labels ?? [])].map((label) => label.innerText),
      ].some((name) => tidy(name) === words),
  )
}
