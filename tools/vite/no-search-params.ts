/** In place of the router's own ways with a query, which read and write JSON: app/web/router.tsx gives it ours. */
export const defaultParseSearch = undefined
export const defaultStringifySearch = undefined
export const parseSearchWith = undefined
export const stringifySearchWith = undefined
