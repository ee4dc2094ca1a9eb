/** The parts of a package without types that documents use. */
declare module 'fontkit' {
  export type Font = {
    unitsPerEm: number
    characterSet: number[]
    _glyphs: Record<number, unknown>
    hasGlyphForCodePoint(codePoint: number): boolean
    layout(text: string): {
      advanceWidth: number
      direction: 'ltr' | 'rtl'
      glyphs: { id: number; codePoints: number[] }[]
    }
  }
  export type Fontkit = {
    create(bytes: Uint8Array): Font
    /** Adds a format: `create` takes the first that knows the bytes, and makes the font by `new`. */
    registerFormat(
      format: ((stream: { buffer: Uint8Array }) => Font) & { probe(bytes: Uint8Array): boolean },
    ): void
  }
}
