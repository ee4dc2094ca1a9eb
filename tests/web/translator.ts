/**
 * Does what the translator of a browser does (rule 56): each text makes room for a `<font>` in a `<font>`, and does so again after each
 * change. The words stay between the marks, so that a test finds them. Nothing outside of the function is used: stories send it to pages as a script.
 */
export function startTranslator([before, behind]: readonly [
  before: string,
  behind: string,
]): MutationObserver {
  const untouched = 'script, style, textarea, font, title'
  const wrap = (text: Text) => {
    if (!text.parentNode || text.parentElement?.closest(untouched) || !text.data.trim()) return
    const outer = document.createElement('font')
    const inner = document.createElement('font')
    inner.textContent = `${before}${text.data}${behind}`
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
  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      addedNodes.forEach(walk)
      if (type === 'characterData' && target instanceof Text) wrap(target)
    }
  })
  observer.observe(document, { childList: true, subtree: true, characterData: true })
  return observer
}
