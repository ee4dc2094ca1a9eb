/** In place of the cache of mutations in TanStack Query, which nothing here makes: a call that changes something is a `call` (STYLE.md). */
export class MutationCache {
  findAll(): [] {
    return []
  }
  resumePausedMutations(): Promise<void> {
    return Promise.resolve()
  }
  clear(): void {}
}
