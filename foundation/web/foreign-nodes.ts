/**
 * Lets React go on where somebody else has replaced its text nodes (rule 56). Translators of browsers put `<font>` elements in the place
 * of texts; React then removes, or inserts beside, a node that is no longer there, which throws and leaves a dead page, and writes
 * changed texts, such as amounts, into nodes that nobody sees. From this call on, such an operation meets the element that stands in
 * the text's place. Operations on nodes that are in their place are the browser's own.
 */
export function tolerateForeignNodes(): void {
  if (observer) return
  observer = new MutationObserver(note)
  observer.observe(document, { childList: true, subtree: true })
  const { appendChild, removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this) return call(removeChild, this, child)
    const standIn = standInOf(child, this)
    if (standIn) call(removeChild, this, standIn)
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before?: Node | null): T {
    leaveFormerPlace(node)
    if (!before || before.parentNode === this) return call(insertBefore, this, node, before ?? null)
    return call(insertBefore, this, node, standInOf(before, this) ?? null)
  }
  Node.prototype.appendChild = function <T extends Node>(this: Node, node: T): T {
    leaveFormerPlace(node)
    return call(appendChild, this, node)
  }
  const { get, set } = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue') ?? {}
  if (!get || !set) return
  Object.defineProperty(Text.prototype, 'nodeValue', {
    configurable: true,
    get,
    set(this: Text, value: string | null) {
      if (!this.parentNode) putBack(this)
      set.call(this, value)
    },
  })
}

let observer: MutationObserver | undefined
const standIns = new WeakMap<Node, Node>()

/** Remembers which node came into the place of each text, whether the two were exchanged at once or one after the other. */
function note(records: MutationRecord[]): void {
  for (const [index, { target, removedNodes, addedNodes, previousSibling, nextSibling }] of records.entries())
    for (const gone of removedNodes) {
      if (gone.nodeType !== Node.TEXT_NODE || gone.parentNode) continue
      const near = [...addedNodes, previousSibling, nextSibling]
      const later = records.slice(index + 1).filter((record) => record.target === target)
      const standIn = [...near, ...later.flatMap((record) => [...record.addedNodes])].find(isForeign)
      if (standIn) standIns.set(gone, standIn)
    }
}

/** Returns the child of `parent` that stands in the place of `node`: its replacement, or an element that was put around it. */
function standInOf(node: Node, parent: Node): Node | undefined {
  if (observer) note(observer.takeRecords())
  let standing: Node | null | undefined = node.parentNode ? node : standIns.get(node)
  while (standing && standing.parentNode !== parent) standing = standing.parentNode
  return standing ?? undefined
}

/** A text that moves takes along nothing of what stood in its former place. */
function leaveFormerPlace(node: Node): void {
  if (node.nodeType !== Node.TEXT_NODE || node.parentNode) return
  if (observer) note(observer.takeRecords())
  const standIn = standIns.get(node)
  if (standIn?.parentNode) standIn.parentNode.removeChild(standIn)
  standIns.delete(node)
}

/** The text returns to its place with its new words, which the translator then translates. */
function putBack(text: Text): void {
  if (observer) note(observer.takeRecords())
  const standIn = standIns.get(text)
  if (standIn?.parentNode) standIn.parentNode.replaceChild(text, standIn)
}

const isForeign = (node: Node | null): node is Element => node?.nodeName === 'FONT'

/** Calls a function of the browser, whose type says that it returns what it was given. */
function call<A extends unknown[], R>(native: (this: Node, ...values: A) => R, node: Node, ...values: A): R {
  return native.apply(node, values)
}
