/** Whether a key is nobody's word: letters belong to whoever writes, and in a menu or a dialog they mean something else. */
export function isShortcutKey({
  ctrlKey,
  metaKey,
  altKey,
  target,
  defaultPrevented,
}: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return false
  return !(target instanceof Element && target.closest(ELSEWHERE) !== null)
}

const ELSEWHERE = 'input, textarea, select, [contenteditable], dialog, [popover]'
