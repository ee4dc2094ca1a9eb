/** In `sessionStorage`: this tab shows an account to a member of staff as its customer sees it. */
export const VIEWING = 'view'

export const isViewing = (): boolean => sessionStorage.getItem(VIEWING) !== null
