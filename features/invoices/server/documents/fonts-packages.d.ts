/** The parts of fontkit, a package without types, that the documents use. */
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
    /** Adds a font format. `create` makes the font by `new`, with the first format whose `probe` accepts the bytes. */
    registerFormat(
      format: ((stream: { buffer: Uint8Array }) => Font) & { probe(bytes: Uint8Array): boolean },
    ): void
  }
}
