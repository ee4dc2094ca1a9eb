import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { decompress } from 'wawoff2'
import { must } from '#foundation/must.ts'

/** Exports of HarfBuzz's subsetter, compiled to WebAssembly. Numbers are addresses in its memory. */
type Harfbuzz = {
  memory: WebAssembly.Memory
  _initialize(): void
  malloc(size: number): number
  free(address: number): void
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number
  hb_blob_destroy(blob: number): void
  hb_blob_get_data(blob: number, length: number): number
  hb_blob_get_length(blob: number): number
  hb_face_create(blob: number, index: number): number
  hb_face_destroy(face: number): void
  hb_face_reference_blob(face: number): number
  hb_set_add(set: number, value: number): void
  hb_set_clear(set: number): void
  hb_set_invert(set: number): void
  hb_subset_input_create_or_fail(): number
  hb_subset_input_destroy(input: number): void
  hb_subset_input_set(input: number, kind: number): number
  hb_subset_input_unicode_set(input: number): number
  hb_subset_input_set_axis_range(
    input: number,
    face: number,
    tag: number,
    least: number,
    most: number,
    usual: number,
  ): number
  hb_subset_or_fail(face: number, input: number): number
}

const WRITABLE = 2
const LAYOUT_FEATURES = 6
const tagOf = (name: string) => Buffer.from(name).readUInt32BE()

/** Functions of WebAssembly have no types to check at run time; a version of the package has all of these functions or none. */
const isHarfbuzz = (exports: object): exports is Harfbuzz =>
  'memory' in exports && '_initialize' in exports && 'hb_subset_or_fail' in exports

let loaded: Promise<Harfbuzz> | undefined

async function load(): Promise<Harfbuzz> {
  const { resolve } = createRequire(import.meta.url)
  const program = await readFile(resolve('harfbuzzjs/dist/harfbuzz-subset.wasm'))
  const { instance } = await WebAssembly.instantiate(program)
  const { exports: harfbuzz } = instance
  if (!isHarfbuzz(harfbuzz)) throw new Error('harfbuzzjs exports something else')
  harfbuzz._initialize()
  return harfbuzz
}

type FontCut = {
  /** The characters to keep; absent: all characters of the font. */
  text?: string
  /** The range of weights that the cut font can draw; `usual` is the weight that it draws by default. */
  weights: { least: number; usual: number; most: number }
  /** Names of the layout features to keep (OpenType's tags); absent: all features of the font. */
  features?: readonly string[]
}

/** Returns a part of a variable WOFF2 font as a TrueType font. Throws if the font cannot be cut. */
export async function cutFont(woff2: Uint8Array, cut: FontCut): Promise<Buffer> {
  const harfbuzz = await (loaded ??= load())
  const font = await decompress(woff2)
  // No `await` from here on: calls in between would share this state.
  const address = harfbuzz.malloc(font.byteLength)
  // The memory moves when it grows, so each access makes its own view.
  new Uint8Array(harfbuzz.memory.buffer).set(font, address)
  const blob = harfbuzz.hb_blob_create(address, font.byteLength, WRITABLE, 0, 0)
  const face = harfbuzz.hb_face_create(blob, 0)
  harfbuzz.hb_blob_destroy(blob)
  const input = harfbuzz.hb_subset_input_create_or_fail()
  try {
    choose(harfbuzz, { face, input, cut })
    return subset(harfbuzz, { face, input })
  } finally {
    harfbuzz.hb_subset_input_destroy(input)
    harfbuzz.hb_face_destroy(face)
    harfbuzz.free(address)
  }
}

type Cutting = { face: number; input: number }

function choose(harfbuzz: Harfbuzz, { face, input, cut }: Cutting & { cut: FontCut }): void {
  const keep = (set: number, wanted: readonly number[] | undefined) => {
    harfbuzz.hb_set_clear(set)
    if (wanted) for (const value of wanted) harfbuzz.hb_set_add(set, value)
    else harfbuzz.hb_set_invert(set)
  }
  keep(harfbuzz.hb_subset_input_set(input, LAYOUT_FEATURES), cut.features?.map(tagOf))
  const characters = cut.text === undefined ? undefined : [...cut.text]
  keep(
    harfbuzz.hb_subset_input_unicode_set(input),
    characters?.map((character) => must(character.codePointAt(0))),
  )
  const { least, most, usual } = cut.weights
  if (!harfbuzz.hb_subset_input_set_axis_range(input, face, tagOf('wght'), least, most, usual))
    throw new Error('the font has no axis of weight')
}

function subset(harfbuzz: Harfbuzz, { face, input }: Cutting): Buffer {
  const cut = harfbuzz.hb_subset_or_fail(face, input)
  if (cut === 0) throw new Error('the font could not be cut')
  const result = harfbuzz.hb_face_reference_blob(cut)
  const start = harfbuzz.hb_blob_get_data(result, 0)
  const end = start + harfbuzz.hb_blob_get_length(result)
  const bytes = Buffer.from(new Uint8Array(harfbuzz.memory.buffer).slice(start, end))
  harfbuzz.hb_blob_destroy(result)
  harfbuzz.hb_face_destroy(cut)
  return bytes
}
