/** The fields of a page as a browser would send them: what is hidden, typed, ticked and chosen. */
export type Fields = Record<string, string>

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const textOf = (html: string): string =>
  html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')

const valueOf = (tag: string, name: string): string | undefined => {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? []
  return value === undefined ? undefined : textOf(value)
}

/** Reads the fields of the only form of a page. */
export function fieldsIn(html: string): Fields {
  const fields: Fields = {}
  for (const [tag] of html.matchAll(/<input\s[^>]*>/g)) {
    const isBox = ['checkbox', 'radio'].includes(valueOf(tag, 'type') ?? '')
    const name = valueOf(tag, 'name')
    if (name !== undefined && (!isBox || /\schecked/.test(tag))) fields[name] = valueOf(tag, 'value') ?? ''
  }
  for (const [, start = '', options = ''] of html.matchAll(/<select\s([^>]*)>([\s\S]*?)<\/select/g)) {
    const [chosen = ''] = /<option[^>]*\sselected[^>]*>/.exec(options) ?? []
    fields[valueOf(` ${start}`, 'name') ?? ''] = valueOf(chosen, 'value') ?? ''
  }
  return fields
}
