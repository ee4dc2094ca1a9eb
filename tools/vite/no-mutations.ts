/**
 * Stands in for the cache of mutations in TanStack Query, which is not used here: each change on the server is made by `call` (STYLE.md).
 */
export class MutationCache {
  findAll(): [] {
    return []
  }
  resumePausedMutations(): Promise<void> {
    return Promise.resolve()
  }
  clear(): void {}
}
