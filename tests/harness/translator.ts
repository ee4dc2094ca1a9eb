import type { BrowserContext } from '@playwright/test'

/**
 * Does to all pages of a context what the translator of a browser does (rule 56): each text makes room for a `<font>` in a `<font>`, and
 * does so again after each change. The words stay as they are, so that a story finds them; a text that is no longer changed shows.
 */
export const translate = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const untouched = 'script, style, textarea, font, title'
    const wrap = (text: Text) => {
      if (!text.parentNode || text.parentElement?.closest(untouched) || !text.data.trim()) return
      const outer = document.createElement('font')
      const inner = document.createElement('font')
      inner.textContent = text.data
      outer.append(inner)
      text.parentNode.replaceChild(outer, text)
    }
    const walk = (node: Node) => {
      if (node instanceof Text) return wrap(node)
      const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
      const texts: Text[] = []
      while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode)
      texts.forEach(wrap)
      return undefined
    }
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        addedNodes.forEach(walk)
        if (type === 'characterData' && target instanceof Text) wrap(target)
      }
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
