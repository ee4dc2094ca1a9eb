import { blocksOf, type Block } from './markup-blocks.ts'
import type { Span } from './markup-spans.ts'

/** How a text without marks shows code, and what stands before the items of a list. */
type Plain = { code: (text: string) => string; item: (mark: string) => string }

/**
 * Returns a text as its page shows it, but in letters alone: without the marks that formatted something, with all others. `origin` as for
 * `blocksOf`.
 */
export const plainText = (text: string, looks: Plain, origin?: string): string =>
  plainBlocks(blocksOf(text, origin), looks)

const plainBlocks = (blocks: readonly Block[], looks: Plain): string =>
  blocks.map((block) => plainBlock(block, looks)).join('\n\n')

function plainBlock(block: Block, looks: Plain): string {
  switch (block.kind) {
    case 'lines':
      return block.lines.map((line) => plainSpans(line, looks)).join('\n')
    case 'code':
      return looks.code(block.text)
    case 'quote':
      return plainBlocks(block.blocks, looks)
    default:
      return block.items
        .map(({ mark, blocks }) => `${looks.item(mark)}${plainBlocks(blocks, looks)}`)
        .join('\n')
  }
}

const plainSpans = (spans: readonly Span[], looks: Plain): string =>
  spans.map((span) => plainSpan(span, looks)).join('')

function plainSpan(span: Span, looks: Plain): string {
  switch (span.kind) {
    case 'text':
      return span.text
    case 'code':
      return looks.code(span.text)
    default:
      return plainSpans(span.spans, looks)
  }
}
