import { dateLocale } from '#foundation/date-locale.ts'
import type { Locale } from '#foundation/locale.ts'
import type { Content, ContentStack } from 'pdfmake/interfaces.js'
import type { Face } from './fonts.ts'
import { typeset, widthOf } from './typeset.ts'

/** The width of an A4 page between its margins, in points. */
export const PAGE_WIDTH = 483

const TEXT_SIZE = 9.5
const LABEL_SIZE = 8
const LABEL_COLOR = '#5f6672'

type Style = {
  /** The width of the column, in points: lines are broken and words cut to fit, before the PDF library sees them. */
  width: number
  size?: number
  bold?: boolean
  /** Small and grey, above a value. */
  label?: boolean
  color?: string
  alignment?: 'left' | 'right'
  margin?: [number, number, number, number]
}

export type Ink = {
  (text: string, style: Style): Content
  /** Returns the width, in points, of the widest of these texts, each on a single line. */
  widest: (texts: readonly string[], style?: Omit<Style, 'width'>) => number
}

/** Returns a writer of texts in these fonts. */
export function ink(faces: readonly Face[]): Ink {
  const write = (text: string, { width, alignment = 'left', margin, ...style }: Style): ContentStack => {
    const { size, bold, color } = looks(style)
    const lines = typeset(text, faces, { width, size, bold })
    return {
      stack: lines.map(({ runs }) => ({
        text: runs.map(({ text: run, face }) => ({ text: run, font: face.name })),
        noWrap: true,
        preserveLeadingSpaces: true,
        fontSize: size,
        bold,
        color,
        alignment,
      })),
      ...(margin ? { margin } : {}),
    }
  }
  const widest = (texts: readonly string[], style: Omit<Style, 'width'> = {}) =>
    Math.max(0, ...texts.map((text) => widthOf(text, faces, looks(style))))
  return Object.assign(write, { widest })
}

const looks = ({ size, bold = false, label, color }: Omit<Style, 'width'>) => ({
  size: size ?? (label ? LABEL_SIZE : TEXT_SIZE),
  bold,
  color: color ?? (label ? LABEL_COLOR : '#000000'),
})

/** A day in words: '21 November 2026'. */
export const day = (date: string, locale: Locale): string =>
  new Intl.DateTimeFormat(dateLocale(locale), { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  )
