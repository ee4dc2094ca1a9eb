import { escapeHtml } from '#foundation/server/mail/escape-html.ts'

/** Markup that is safe to send: whatever was put into it is escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | readonly Html[] | false | undefined

/**
 * Makes markup of a template. Every text in it is escaped, so that nothing that somebody typed becomes markup; `false` and `undefined` leave
 * nothing. A line break of the template is sent as one blank.
 */
export const html = (fixed: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(
    compact(fixed)
      .map((text, place) => `${text}${textOf(parts[place])}`)
      .join(''),
  )

// A template is the same array at each call.
const compacted = new WeakMap<TemplateStringsArray, readonly string[]>()

function compact(fixed: TemplateStringsArray): readonly string[] {
  const known = compacted.get(fixed) ?? fixed.map((text) => text.replaceAll(/\s*\n\s*/g, ' '))
  compacted.set(fixed, known)
  return known
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  return typeof part === 'object' ? part.map(textOf).join('') : escapeHtml(String(part))
}

/**
 * Makes a block of data for programs (JSON-LD), which no browser runs. The attack is `</script>` in a name, which would end the block.
 */
export const jsonBlock = (type: string, data: object): Html =>
  new Html(`<script type="${type}">${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>`)
