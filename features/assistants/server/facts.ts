import { currencies } from '#foundation/currencies.ts'
import { decimalText, money } from '#foundation/money.ts'

type Fact = { name: string; value: string }

/**
 * Returns all that a call is made with, as names and values: the parameters of its path by the template of its contract, its query, and the
 * fields of its body. Nothing is left out: a person must see what they confirm.
 */
export function factsOf(template: string, url: string, input: unknown): Fact[] {
  const [path = '', query] = url.split('?')
  const parts = path.split('/')
  const params = template.split('/').flatMap((part, place): Fact[] => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
    return name === undefined ? [] : [{ name, value: decodeURIComponent(parts[place] ?? '') }]
  })
  const asked = [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }))
  return [...params, ...asked, ...leavesOf(input, '')]
}

function leavesOf(value: unknown, name: string): Fact[] {
  if (typeof value !== 'object' || value === null)
    return name === ''
      ? []
      : [{ name, value: value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value) }]
  const sum = money.safeParse(value)
  if (sum.success && currencies.includes(sum.data.currency))
    return [{ name, value: `${decimalText(sum.data)} ${sum.data.currency}` }]
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, name === '' ? key : `${name}.${key}`),
  )
}
