// The package carries no types.
declare module 'html-to-text' {
  type Selector = { selector: string; format?: string; options?: Record<string, unknown> }
  type Options = {
    wordwrap?: number | false
    limits?: { maxInputLength?: number; maxDepth?: number; maxChildNodes?: number }
    selectors?: readonly Selector[]
  }
  export function convert(html: string, options?: Options): string
}
