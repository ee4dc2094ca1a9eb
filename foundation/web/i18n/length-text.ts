import { m } from '#texts/messages.js'
import { currentLocale } from './locale.ts'

/** True for a text above the limit, in code points like the server's. Nothing is cut: it is not sent. */
export const isLonger = (text: string, most: number): boolean => text.length > most && [...text].length > most

/** '30,000 of 20,000 characters' */
export function lengthText(text: string, limit: number): string {
  const format = new Intl.NumberFormat(currentLocale())
  const [count = '', most = ''] = [[...text].length, limit].map((number) => format.format(number))
  return m.ui_length({ count, most })
}
