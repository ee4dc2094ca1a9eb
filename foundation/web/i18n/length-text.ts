import { m } from '#texts/messages.js'
import { currentLocale } from './locale.ts'

/** True if a text has more than `most` code points, as the server counts. Such a text is not cut off, and not sent either. */
export const isLonger = (text: string, most: number): boolean => text.length > most && [...text].length > most

/** Returns '30,000 of 20,000 characters'. */
export function lengthText(text: string, limit: number): string {
  const format = new Intl.NumberFormat(currentLocale())
  const [count = '', most = ''] = [[...text].length, limit].map((number) => format.format(number))
  return m.ui_length({ count, most })
}
