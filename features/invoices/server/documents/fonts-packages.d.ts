/** The parts of two packages without types that documents use. */
declare module 'fontkit' {
  export type Font = {
    unitsPerEm: number
    characterSet: number[]
    hasGlyphForCodePoint(codePoint: number): boolean
    layout(text: string): {
      advanceWidth: number
      direction: 'ltr' | 'rtl'
      glyphs: { id: number; codePoints: number[] }[]
    }
  }
  export function create(bytes: Uint8Array): Font
}

declare module 'wawoff2' {
  export function decompress(woff2: Uint8Array): Promise<Uint8Array>
}
