/** The part of libheif-js that this product calls; the package has types for its raw functions only. */
declare module 'libheif-js/wasm-bundle.js' {
  type Decoded = { data: Uint8ClampedArray<ArrayBuffer>; width: number; height: number }

  interface Picture {
    get_width(): number
    get_height(): number
    is_primary(): boolean
    /** Draws the picture into `into`; `done` gets null if the picture cannot be read. */
    display(into: Decoded, done: (drawn: Decoded | null) => void): void
  }

  const library: { HeifDecoder: new () => { decode(bytes: Uint8Array): Picture[] } }
  export default library
}
