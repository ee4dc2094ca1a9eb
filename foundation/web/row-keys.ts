import { useLetterKeys } from './letter-keys.ts'

/** In a list whose links bear `data-row`, `j` goes to the next and `k` to the one before; Enter opens it, as every link. */
export function useRowKeys(list: { readonly current: HTMLElement | null }): void {
  const move = (step: 1 | -1) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const present = links.findIndex((link) => link === document.activeElement)
    links[Math.max(0, present + step)]?.focus()
  }
  useLetterKeys({ j: () => move(1), k: () => move(-1) })
}
